import { requestOfEventId } from "#libs/domain/request-event-id.ts";
import type { EventKey, StoredRequest } from "#libs/stats-store/index.ts";

/**
 * How far apart two attempts of a request may be logged, in milliseconds: events without `occurredAt` get the time of their attempt. A
 * client repeats a request for a day, and the first attempt may wait in a spill for as long.
 */
const ATTEMPTS_WITHIN_MS = 48 * 3_600_000;
const NEWLINE = 10;
/** A line begins `["evt_…"`. */
const ID = { start: 2, end: 32 };
/** Where the digit is that marks the id of a request, and its first and last values. */
const DIGIT = { at: 6, from: 0x36, to: 0x37 };

/** Whether the line at `start` may be an event of a request that was sent before. A line that is no event may look like one. */
export function mayBeOfRequest(rows: Buffer, start = 0): boolean {
  const digit = rows[start + DIGIT.at] ?? 0;
  if (digit < DIGIT.from || digit > DIGIT.to) return false;
  return requestOfEventId(rows.toString("latin1", start + ID.start, start + ID.end)) !== null;
}

/** Whether a line of the rows may be such an event. Takes nothing apart: most ranges have none. */
export function mayHaveRequests(rows: Buffer): boolean {
  for (let start = 0; start < rows.length; ) {
    if (mayBeOfRequest(rows, start)) return true;
    const newline = rows.indexOf(NEWLINE, start);
    if (newline < 0) return false;
    start = newline + 1;
  }
  return false;
}

/**
 * Groups the events of requests that may have been sent before, and returns the other events as `alone`. A spill may have joined several
 * requests with each other and with other events.
 */
export function byRequest(events: readonly EventKey[]): {
  readonly requests: readonly StoredRequest[];
  readonly alone: readonly EventKey[];
} {
  const alone: EventKey[] = [];
  const requests = new Map<string, { readonly slack: number; readonly keys: EventKey[] }>();
  for (const key of events) {
    const request = requestOfEventId(key.id);
    if (request === null) {
      alone.push(key);
      continue;
    }
    const slack = request.isTimed ? 0 : ATTEMPTS_WITHIN_MS;
    const known = requests.get(request.request);
    if (known === undefined) requests.set(request.request, { slack, keys: [key] });
    else known.keys.push(key);
  }
  return {
    alone,
    requests: [...requests].map(([request, { slack, keys }]) => whereIs(request, slack, keys)),
  };
}

function whereIs(request: string, slack: number, keys: readonly EventKey[]): StoredRequest {
  const times = keys.map(({ occurredAt }) => occurredAt);
  return {
    request,
    workspaceId: keys[0]?.workspaceId ?? "",
    adIds: [...new Set(keys.map(({ adId }) => adId))],
    from: Math.min(...times) - slack,
    to: Math.max(...times) + slack,
  };
}
