import type { EventToJudge, Judge, RangeLine } from "#libs/judge/index.ts";
import type { StatsStore, Visit } from "#libs/stats-store/index.ts";

/** Later than this, in milliseconds between occurrence and append, the judge may have forgotten what the event is a duplicate of. */
const LOOKED_UP_MS = 120_000;

/**
 * Marks events that are duplicates of what the store has and the judge may have forgotten, or was started too late to see: those that
 * came late, as from a spill. Rows of the range itself count for nothing, as the range may be repeated. Visitors who ask for privacy
 * are in no row. Rejects as `StatsStore` does.
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

  const around = Math.max(...old.map(({ windowMs }) => windowMs));
  const own = new Set(logged.map(({ id }) => id));
  const counted = new Map<string, number[]>();
  for (const visit of await store.countedVisits(old, around)) {
    if (own.has(visit.id)) continue;
    const key = keyOf(visit);
    const times = counted.get(key);
    if (times === undefined) counted.set(key, [visit.occurredAt]);
    else times.push(visit.occurredAt);
  }
  const marked = [...events];
  for (const { at, ...visit } of old) {
    const isNear = (time: number) => Math.abs(time - visit.occurredAt) < visit.windowMs;
    const event = events[at];
    if (event !== undefined && counted.get(keyOf(visit))?.some(isNear) === true)
      marked[at] = { ...event, isDuplicate: true };
  }
  return marked;
}

function keyOf({ adId, kind, visitor }: Visit): string {
  return `${adId} ${kind} ${visitor}`;
}
