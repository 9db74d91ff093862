/** What a tracked event reports. */
export const EVENT_KINDS = ["impression", "click"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * Why an accepted event counts, or does not: only `valid` events enter the stats, the rest stays queryable. Each has its
 * words in `verdict-words.ts`. Of several reasons the first in this order is given:
 * - `bot`: the user agent names an automated client
 * - `prefetch`: the browser fetched ahead, nobody looked (`Purpose`, `Sec-Purpose`)
 * - `network`: the address is in one of the networks that the operator has blocked
 * - `not_serving`: the ad has not been eligible in the last 15 minutes
 * - `unproven`: the workspace asks for a proof that the ad was handed out, and the event has none that is valid
 * - `duplicate`: same visitor, ad and kind again within the kind's duplicate window
 */
export const VERDICTS = [
  "valid",
  "bot",
  "prefetch",
  "duplicate",
  "not_serving",
  "network",
  "unproven",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One impression or click in the form that goes to the event log and to the stats store's `events` table. */
export interface TrackedEvent {
  /** `evt_…`, unique for ever: exactly-once is checked against it. */
  readonly id: string;
  readonly workspaceId: string;
  readonly adId: string;
  readonly kind: EventKind;
  readonly verdict: Verdict;
  /**
   * Keyed hash of address, user agent and day, 16 lower-case hex digits; never the address itself. Empty, or `neverStored`,
   * for a visitor who asked not to be recognized: the event counts, and nobody is counted as its visitor.
   */
  readonly visitor: string;
  /** Milliseconds since the epoch, taken when the request arrived. */
  readonly occurredAt: number;
}

const NEVER_STORED = "~";

/** The hash of a visitor who asked not to be recognized: duplicates are recognized by it, and no row takes it. */
export function neverStored(visitor: string): string {
  return `${NEVER_STORED}${visitor}`;
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
] as const;

/**
 * One `JSONCompactEachRow` line, newline included. The time goes as a bare number of milliseconds, which
 * ClickHouse reads as the ticks of a `DateTime64(3)`. Every text is one of ours (ids, enums, hex), so nothing
 * needs escaping.
 */
export function encodeEventRow(event: TrackedEvent): string {
  const visitor = event.visitor.startsWith(NEVER_STORED) ? "" : event.visitor;
  return `["${event.id}","${event.workspaceId}","${event.adId}","${event.kind}","${event.verdict}","${visitor}",${event.occurredAt}]\n`;
}
