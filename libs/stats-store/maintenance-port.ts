import type { EventKind, Verdict } from "#libs/domain/event.ts";
import type { StatsWindow } from "#libs/domain/stats-window.ts";

/** A part of a table whose files ClickHouse found damaged when it opened the table; it moved them to `detached/`. */
export interface BrokenPart {
  readonly table: string;
  /** The name of its folder below `detached/`. */
  readonly name: string;
  /** Whether the rows are still there, in the parts that it was merged from; else they are gone from the table. */
  readonly isReplaced: boolean;
}

/** An active part that ClickHouse has damaged data in: queries that need the data fail, all others succeed. */
export interface UnreadablePart {
  readonly table: string;
  readonly name: string;
  readonly reason: string;
}

/** An ad that has counts. */
export interface CountedAd {
  readonly workspaceId: string;
  readonly adId: string;
}

/** Where the tables disagree: how many events each has of an ad, a UTC day, a kind and a verdict. */
export interface CountDifference extends CountedAd {
  readonly day: string;
  readonly kind: EventKind;
  readonly verdict: Verdict;
  readonly events: number;
  readonly daily: number;
  readonly quarter: number;
  /** Null for a day that `wide` does not keep. */
  readonly wide: number | null;
}

/** What contradicts the rules for duplicates in a UTC day. */
export interface JudgementFaults {
  readonly visitors: readonly (CountedAd & {
    readonly kind: EventKind;
    readonly visitor: string;
    /** Events that count within the window of the one before. */
    readonly tooNear: number;
    /** Duplicates without an event that counts within the window. */
    readonly withoutOriginal: number;
  })[];
  /** Rows whose event id another row has. */
  readonly doubledEvents: number;
}

/** For operators, when counts are in doubt. */
export interface StatsMaintenance {
  /**
   * Where `events` and its sums disagree in the days, the oldest first, at most `limit` rows; `wide` only of the days that it keeps.
   * Costs as much as reading the raw events of the days: ask for a month at most. While events are inserted the newest counts may differ for a moment.
   */
  countDifferences(days: StatsWindow, limit: number): Promise<CountDifference[]>;
  /** The ads with counts that come after the given one, in the order of workspace and ad; null begins. */
  countedAds(after: CountedAd | null, limit: number): Promise<CountedAd[]>;
  /** Where the verdicts of the raw events of a UTC day contradict each other, for at most `limit` visitors. Costs as much as reading the day. */
  judgementFaults(day: string, limit: number): Promise<JudgementFaults>;
  /** Days for which raw events are kept, as the table has it; null where it keeps them for another span. */
  eventRetentionDays(): Promise<number | null>;
  /** Days for which `wide` keeps counts, in the same way. */
  splitRetentionDays(): Promise<number | null>;
  /**
   * The months of which `quarter` or `wide` lacks events that an earlier release has inserted, as `202611`, the newest first. Reads the
   * source and the device of every event, or of those from a UTC day on.
   */
  monthsToFill(from?: string): Promise<string[]>;
  /** Such UTC days of a month, the newest first. Costs as much as reading the times of all its events. */
  daysToFill(month: string): Promise<string[]>;
  /**
   * Adds to both what they lack of these events in a UTC day. May be repeated, also while an attempt that broke off is still at work
   * in the store.
   */
  fillCounts(day: string): Promise<void>;
  /** The events of a UTC day in `events` and `daily`, over all workspaces. */
  totalsOfDay(day: string): Promise<{ readonly events: number; readonly daily: number }>;
  /**
   * Rebuilds the counts of a UTC day, in `daily`, `quarter` and `wide`, from the raw events. May be repeated, also after a failure. Nothing may
   * be inserted until it resolves.
   */
  rebuildCounts(day: string): Promise<void>;
}
