import type { EventToJudge, Judge, RangeLine } from "#libs/judge/index.ts";
import type { StatsStore, Visit } from "#libs/stats-store/index.ts";

/** Milliseconds from occurrence to append. The judge may have forgotten the original of an event that is later than this. */
const LOOKED_UP_MS = 120_000;

/**
 * Marks events whose original the store has and the judge may not know: late ones, as from a spill, and those before `knowsSince`. Rows
 * of the range itself are ignored, because an earlier attempt may have inserted them. No row names a visitor who asks for privacy.
 * Rejects as `StatsStore` does.
 */
export async function markKnownDuplicates(
  store: Pick<StatsStore, "countedVisits">,
  { knowsSince }: Pick<Judge, "knowsSince">,
  lines: readonly RangeLine[],
  events: readonly EventToJudge[],
): Promise<readonly EventToJudge[]> {
  const logged = lines.flatMap((each) => (typeof each === "string" ? [] : [each.line]));
  const isOld = ({ occurredAt, appendedAt, windowMs }: EventToJudge) =>
    appendedAt - occurredAt > LOOKED_UP_MS || occurredAt - windowMs < knowsSince;
  const old = events.flatMap((event, at) => {
    const line = logged[at];
    const isNamed = typeof event.visitor === "string" && event.windowMs > 0;
    return isNamed && line !== undefined && isOld(event) ? [{ ...line, at }] : [];
  });
  if (old.length === 0) return events;

  const own = new Set(logged.map(({ id }) => id));
  const counted = new Map<string, number[]>();
  // A window may hold many events of a kind whose own window is shorter, so each window is asked about alone.
  for (const [windowMs, visits] of Map.groupBy(old, (visit) => visit.windowMs)) {
    for (const visit of await store.countedVisits(visits, windowMs)) {
      if (own.has(visit.id)) continue;
      const key = keyOf(visit);
      const times = counted.get(key);
      if (times === undefined) counted.set(key, [visit.occurredAt]);
      else times.push(visit.occurredAt);
    }
  }
  for (const times of counted.values()) times.sort((one, other) => one - other);
  const marked = [...events];
  for (const { at, ...visit } of old) {
    const event = events[at];
    if (event !== undefined && hasNear(counted.get(keyOf(visit)) ?? [], visit))
      marked[at] = { ...event, isDuplicate: true };
  }
  return marked;
}

/** Whether one of the times, in ascending order, is within the window. Halves them: a visitor may have tens of thousands in a day. */
function hasNear(
  times: readonly number[],
  { occurredAt, windowMs }: Pick<EventToJudge, "occurredAt" | "windowMs">,
): boolean {
  let from = 0;
  let to = times.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? 0) > occurredAt - windowMs) to = middle;
    else from = middle + 1;
  }
  const next = times[from];
  return next !== undefined && next < occurredAt + windowMs;
}

function keyOf({ adId, kind, visitor }: Visit): string {
  return `${adId} ${kind} ${visitor}`;
}
