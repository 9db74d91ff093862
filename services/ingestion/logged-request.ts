import { requestOfEventId } from "#libs/domain/request-event-id.ts";
import type { EventBatch } from "#libs/event-log/index.ts";
import type { StoredRequest } from "#libs/stats-store/index.ts";
import { eventKeyOf, splitLines } from "./event-line.ts";

/** A batch of a request that may have been sent before. */
export interface LoggedRequest extends StoredRequest {
  /** Of each line; empty for one that is no event. */
  readonly ids: readonly string[];
}

/**
 * Events without a time of their own get that of their attempt: how far apart two attempts may be logged, in milliseconds. A client
 * repeats a request for a day, and the first attempt may wait in a spill for as long.
 */
const ATTEMPTS_WITHIN_MS = 48 * 3_600_000;
/** The first line begins `["evt_…"`. */
const ID = { start: 2, end: 32 };

/** The request that a batch is of; null for events that came alone. */
export function requestIn({ rows }: EventBatch): LoggedRequest | null {
  const request = requestOfEventId(rows.toString("latin1", ID.start, ID.end));
  if (request === null) return null;
  const lines = splitLines([rows]).map(eventKeyOf);
  const keys = lines.filter((key) => key !== null);
  const [first] = keys;
  // A spill may have appended it together with others.
  if (first === undefined || keys.some(({ id }) => !id.startsWith(request.request))) return null;
  const times = keys.map(({ occurredAt }) => occurredAt);
  const slack = request.isTimed ? 0 : ATTEMPTS_WITHIN_MS;
  return {
    request: request.request,
    ids: lines.map((key) => key?.id ?? ""),
    workspaceId: first.workspaceId,
    adIds: [...new Set(keys.map(({ adId }) => adId))],
    from: Math.min(...times) - slack,
    to: Math.max(...times) + slack,
  };
}
