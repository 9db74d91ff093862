import { type EventPlace, encodePlace, PLACE_COLUMNS } from "./event-place.ts";

/** What a tracked event reports. */
export const EVENT_KINDS = ["impression", "click"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * Why an accepted event counts, or does not: only `valid` events enter the stats, the rest stays queryable. A new verdict is a row at
 * the end (`CONTRIBUTING.md`). If an event has several reasons not to count, its verdict is the first in this list:
 * - `bot`: the user agent names an automated client
 * - `prefetch`: the browser fetched ahead, nobody looked (`Purpose`, `Sec-Purpose`)
 * - `network`: the address is in one of the networks that the operator has blocked
 * - `not_serving`: the ad has not been eligible in the last 15 minutes
 * - `unproven`: the workspace asks for a proof that the ad was handed out, and the event has none that is valid
 * - `limited`: the address has used up its limit for the ad and kind in this minute
 * - `duplicate`: same visitor, ad and kind again within the kind's duplicate window
 *
 * The last two need other events: ingestion gives them to events that serving has stored as `valid`.
 */
const VERDICT_TABLE = [
  {
    verdict: "valid",
    title: "Counted",
    reason: "Seen or clicked by a visitor while the ad was live.",
    color: "teal.6",
  },
  {
    verdict: "bot",
    title: "Bots",
    reason: "A search engine, monitor or link preview.",
    color: "orange.6",
  },
  {
    verdict: "prefetch",
    title: "Prefetches",
    reason: "The browser or a mail service loaded it ahead of time, before anyone looked at it.",
    color: "blue.5",
  },
  {
    verdict: "duplicate",
    title: "Duplicates",
    reason: "Same visitor, same action, within seconds, such as a double click.",
    color: "grape.5",
  },
  {
    verdict: "not_serving",
    title: "Ad not live",
    reason: "The ad had been off for 15 minutes or more: an old tab or a cached page.",
    color: "gray.6",
  },
  {
    verdict: "network",
    title: "Blocked networks",
    reason: "From a network that the operator of this installation blocks, such as a data center.",
    color: "red.6",
  },
  {
    verdict: "unproven",
    title: "Without proof",
    reason: "Proof is required, and this event had none that is still valid.",
    color: "yellow.6",
  },
  {
    verdict: "limited",
    title: "Over the limit",
    reason: "Its address had more events of the ad in a minute than are allowed.",
    color: "pink.6",
  },
] as const;

/** Shown instead of `valid` on corrected days (`correction.ts`). Never stored. */
const CORRECTED = {
  verdict: "corrected",
  title: "Corrected",
  reason: "The publisher has found the traffic of these days to be invalid.",
  color: "indigo.5",
} as const;

export type Verdict = (typeof VERDICT_TABLE)[number]["verdict"];
/** In the stats store's order. */
export const VERDICTS = VERDICT_TABLE.map(({ verdict }) => verdict);

/** What people read about a verdict, and its color in charts. */
export type VerdictRow = (typeof VERDICT_TABLE)[number] | typeof CORRECTED;
export type ReadVerdict = VerdictRow["verdict"];
export const READ_VERDICTS = [...VERDICTS, CORRECTED.verdict] as const;

/** The verdicts that need no other event. */
export type RequestVerdict = Exclude<Verdict, "duplicate" | "limited">;
export const VERDICTS_OF_REQUESTS = VERDICTS.filter(
  (verdict): verdict is RequestVerdict => verdict !== "duplicate" && verdict !== "limited",
);

/** A table with what `make` gives for each verdict that people read. */
export function perVerdict<T>(make: (row: VerdictRow) => T): Record<ReadVerdict, T>;
export function perVerdict(make: (row: VerdictRow) => unknown): Record<string, unknown> {
  return Object.fromEntries([...VERDICT_TABLE, CORRECTED].map((row) => [row.verdict, make(row)]));
}

/**
 * How an event was reported, in the stats store's words:
 * - `page`: by a script of the page, the embed or the site's own
 * - `link`: by a link or an image, where no script runs
 * - `server`: by a server of the publisher
 * - `unknown`: an earlier release logged it
 */
export const EVENT_SOURCES = ["page", "link", "server", "unknown"] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** One impression or click in the form that goes to the event log and to the stats store's `events` table. */
export interface TrackedEvent {
  /** `evt_…`, unique for ever: exactly-once is checked against it. */
  readonly id: string;
  readonly workspaceId: string;
  readonly adId: string;
  readonly kind: EventKind;
  readonly verdict: Verdict;
  /**
   * Keyed hash of address, user agent and day, 16 lower-case hex digits; never the address itself. Empty for a visitor who asked
   * not to be recognized: the event counts, and nobody is counted as its visitor.
   */
  readonly visitor: string;
  /** Milliseconds since the epoch, taken when the request arrived. */
  readonly occurredAt: number;
  readonly source: EventSource;
  readonly place: EventPlace;
}

const EARLIEST = Date.UTC(2020);
const LATEST = Date.UTC(2100);

/** Whether the stats store takes an event of this time: 2020 to 2099. Any other comes from a server whose clock is wrong. */
export function isStorableTime(occurredAt: number): boolean {
  return occurredAt >= EARLIEST && occurredAt < LATEST;
}

/** The columns of an event row, in the order `encodeEventRow` writes them. */
export const EVENT_COLUMNS = [
  "event_id",
  "workspace_id",
  "ad_id",
  "kind",
  "verdict",
  "visitor",
  "occurred_at",
  "source",
  ...PLACE_COLUMNS,
] as const;

/**
 * One `JSONCompactEachRow` line, newline included. The time goes as a bare number of milliseconds, which
 * ClickHouse reads as the ticks of a `DateTime64(3)`. We make every text but those of the place ourselves (ids,
 * enums, hex), so nothing else needs escaping.
 */
export function encodeEventRow(event: TrackedEvent): string {
  const { id, workspaceId, adId, kind, verdict, visitor, occurredAt, source, place } = event;
  return `["${id}","${workspaceId}","${adId}","${kind}","${verdict}","${visitor}",${occurredAt},"${source}",${encodePlace(place)}]\n`;
}
