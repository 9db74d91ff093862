import type { Correction } from "#libs/domain/correction.ts";
import type { EventKind, ReadVerdict } from "#libs/domain/event.ts";
import type { AdRank } from "#libs/domain/list-orders.ts";
import type { RowForm } from "#libs/domain/logged-event.ts";
import type { PlaceDimension } from "#libs/domain/report-dimensions.ts";
import type { StatsWindow } from "#libs/domain/stats-window.ts";
import type { Note } from "#libs/installation/index.ts";
import type { BrokenPart, StatsMaintenance, UnreadablePart } from "./maintenance-port.ts";

/** Rows from the event log, and the token that makes repeating their insert harmless. */
export interface RowRange {
  /** Same token, same rows: the store keeps the first and drops the repetition, in all tables. */
  readonly token: string;
  /** `JSONCompactEachRow` lines in the order of `EVENT_COLUMNS`, passed on as bytes. */
  readonly rows: readonly Buffer[];
}

/** Identifies an event. `occurredAt` is in milliseconds since the epoch, exactly as in its row. */
export interface EventKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly adId: string;
  readonly occurredAt: number;
}

/** One day's valid events; days without any are absent. `day` is `2026-11-21`. */
export interface DailyCount {
  readonly day: string;
  readonly impressions: number;
  readonly clicks: number;
}

export interface AdCount {
  readonly adId: string;
  readonly impressions: number;
  readonly clicks: number;
}

/** The performance of a workspace's placements in a window. */
export interface AudienceCount {
  readonly impressions: number;
  readonly clicks: number;
  /** Distinct visitors, approximate above some thousands; one who comes on two days counts twice. */
  readonly visitors: number;
}

export interface TrafficCount {
  readonly day: string;
  readonly kind: EventKind;
  readonly verdict: ReadVerdict;
  readonly events: number;
}

/** What the store knows of an event. */
export type StoredDimension = "ad" | "verdict" | "source" | PlaceDimension;

/** Groups of ads, such as their advertisers: by ad the name of its group, which is one of `groups`. */
export interface AdGroups {
  readonly groups: readonly string[];
  readonly groupOfAd: ReadonlyMap<string, string>;
}

export type ReportGroup = StoredDimension | AdGroups;

/**
 * Leaves out events by the values of a dimension: those that have none of them, or, if not `is`, those that have one. With `arePart` an
 * event has a value that its own contains.
 */
export interface ReportCondition {
  readonly by: StoredDimension;
  readonly is: boolean;
  readonly values: readonly string[];
  readonly arePart?: boolean;
}

/** The counts of reports: `wide` has the place of events, too, and not for ever. */
export type ReportTable = "quarter" | "wide";

/** Time from one instant on, and before another. */
export interface ReportSpan {
  readonly from: number;
  readonly until: number;
}

/** What a report is split and filtered by. */
export interface ReportedGroups {
  readonly workspaceId: string;
  /** At most two. */
  readonly groupBy: readonly ReportGroup[];
  readonly where: readonly ReportCondition[];
  readonly corrections?: readonly Correction[];
}

/** What a report counts. Instants are in milliseconds since the epoch, on a quarter of an hour. */
export interface ReportRequest extends ReportedGroups, ReportSpan {
  /** Where the buckets of time begin, ascending, the first at `from` or before; without them all time is one. */
  readonly starts?: readonly number[];
  /** Groups as `mostCounted` gives them: in all others the texts of a place become `(other)`. */
  readonly kept?: readonly string[];
}

/** What was counted in one bucket and group. `invalid` is of both kinds and every verdict but `valid`. */
export interface ReportCount {
  /** Where its bucket begins; 0 without buckets. */
  readonly start: number;
  /** A value for each of `groupBy`; null for an ad that is in none of the groups. */
  readonly keys: readonly (string | null)[];
  readonly impressions: number;
  readonly clicks: number;
  readonly invalid: number;
}

/** A request with several events that may have been sent before, and where its events would be. */
export interface StoredRequest {
  /** What the ids of its events begin with. */
  readonly request: string;
  readonly workspaceId: string;
  readonly adIds: readonly string[];
  /** When its events occurred, in milliseconds since the epoch, both ends included. */
  readonly from: number;
  readonly to: number;
}

/** An event and its visitor. */
export interface Visit extends EventKey {
  readonly kind: EventKind;
  readonly visitor: string;
}

/** An ad with visitors who clicked conspicuously often in a day, and how many they and their counted clicks were. */
export interface BusyAd extends Pick<EventKey, "workspaceId" | "adId"> {
  readonly visitors: number;
  readonly clicks: number;
}

/** Events in ClickHouse: raw rows in `events`, what people read in `daily` and `quarter`, where valid events may be corrected. */
export interface StatsStore extends StatsMaintenance {
  /** Creates or upgrades the schema. Safe to run at every start and from several processes. */
  migrate(): Promise<void>;
  /** Whether `migrate` has nothing to create or upgrade. Rejects while the store, or its database, is not there. */
  isMigrated(): Promise<boolean>;
  /** Inserts a range once. Throws `StatsStoreError`: `REFUSED` if the rows are at fault, otherwise a retry may succeed. */
  insertRange(range: RowRange): Promise<void>;
  /** The ids of the events that are stored. The further apart the events are, the more it reads. */
  storedIds(keys: readonly EventKey[]): Promise<ReadonlySet<string>>;
  /**
   * The form in which the events of a range are stored, if any are: an earlier release has inserted all rows of a range, or none.
   * Costs as much as `storedIds`.
   */
  formOfRows(keys: readonly EventKey[]): Promise<RowForm>;
  /** The ids of the requests' events that are stored. The wider their times are, the more it reads. */
  storedOfRequests(requests: readonly StoredRequest[]): Promise<ReadonlySet<string>>;
  /** The stored `valid` events of the visits' visitors and ads, that occurred within `aroundMs` of one of the visits, and some others near them. */
  countedVisits(visits: readonly Visit[], aroundMs: number): Promise<readonly Visit[]>;
  /** Valid events of one ad per day. */
  dailyOfAd(
    workspaceId: string,
    adId: string,
    days: StatsWindow,
    corrections?: readonly Correction[],
  ): Promise<DailyCount[]>;
  /** Valid events of the whole workspace per day. */
  dailyOfWorkspace(
    workspaceId: string,
    days: StatsWindow,
    corrections?: readonly Correction[],
  ): Promise<DailyCount[]>;
  /** Valid events of each ad that has any, in the window. */
  countsByAd(workspaceId: string, days: StatsWindow, corrections?: readonly Correction[]): Promise<AdCount[]>;
  /** Valid events of the named ads, over all time unless days are given. */
  countsOfAds(
    workspaceId: string,
    adIds: readonly string[],
    days?: StatsWindow,
    corrections?: readonly Correction[],
  ): Promise<AdCount[]>;
  /** Valid events in the window of the `limit` ads that have the most, the highest first. */
  topAds(
    workspaceId: string,
    days: StatsWindow,
    by: AdRank,
    limit: number,
    corrections?: readonly Correction[],
  ): Promise<AdCount[]>;
  /** Everything that was accepted for an ad, by day, kind and verdict. */
  trafficOfAd(
    workspaceId: string,
    adId: string,
    days: StatsWindow,
    corrections?: readonly Correction[],
  ): Promise<TrafficCount[]>;
  /** Everything that was accepted for the whole workspace, by day, kind and verdict. */
  trafficOfWorkspace(
    workspaceId: string,
    days: StatsWindow,
    corrections?: readonly Correction[],
  ): Promise<TrafficCount[]>;
  /** Valid events of the whole workspace in the window, and how many visitors they were. */
  audienceOfWorkspace(
    workspaceId: string,
    days: StatsWindow,
    corrections?: readonly Correction[],
  ): Promise<AudienceCount>;
  /** Distinct visitors (approximate above some thousands) with a valid event of the ad. */
  visitorsOfAd(
    workspaceId: string,
    adId: string,
    days: StatsWindow,
    corrections?: readonly Correction[],
  ): Promise<number>;
  /** The ads with visitors of at least `clicks` valid clicks in a UTC day, at most `limit`, those with the most such clicks first. */
  busyAds(day: string, clicks: number, limit: number): Promise<BusyAd[]>;
  /**
   * The counts of a report, at most `limit` rows, in no order; a bucket or group without events is absent. Where there are more groups
   * than that, and neither `starts` nor `kept`, the counts of those that come are not whole.
   */
  reportCounts(request: ReportRequest, limit: number): Promise<ReportCount[]>;
  /** The groups that have the most events in some spans of time together, at most `most`, for `kept`. */
  mostCounted(groups: ReportedGroups, spans: readonly ReportSpan[], most: number): Promise<string[]>;
  /**
   * The quarter of an hour with the workspace's first event of any verdict, in milliseconds since the epoch; if that is before `from`, any
   * that is before it. Null without events. Of `wide` it is the first that reports by place can have.
   */
  firstCounted(workspaceId: string, from: number, table: ReportTable): Promise<number | null>;
  /**
   * Removes every event and every count of these workspaces, and resolves once no query sees them. Cheap if they have no rows, so it
   * may be repeated for events that arrive late. Otherwise it rewrites what the months of their rows hold of everybody, so pass all
   * workspaces at once.
   */
  eraseWorkspaces(workspaceIds: readonly string[]): Promise<void>;
  /**
   * Reads both tables once, a part at a time, and yields what cannot be read. Parts that are merged meanwhile are left out: the merge
   * reads them. Of a replicated table it reads the copy of the server that it asks, which fetches a damaged part again.
   */
  unreadableParts(): AsyncIterable<UnreadablePart>;
  /** The broken parts of all tables that nobody has removed from `detached/` yet. */
  brokenParts(): Promise<BrokenPart[]>;
  /**
   * Tables that have rows but have lost the memory of the ranges they took, as far as that can be seen from this machine: a
   * range that was under way would be stored twice.
   */
  forgetfulTables(): Promise<string[]>;
  /** The note that the store keeps of its installation; null before the first. */
  readNote(): Promise<Note | null>;
  /** Resolves when the note is durable. */
  writeNote(note: Note): Promise<void>;
  /** Whether the store answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
