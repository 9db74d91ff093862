import type { Verdict } from "#libs/domain/event.ts";
import type { TrafficCount } from "#libs/stats-store/index.ts";

/** What was accepted in the days of a window, with the totals by verdict. */
export function presentTraffic(days: number, counts: readonly TrafficCount[], visitors: number) {
  return { days, rows: counts.map(presentCount), totals: totalsByVerdict(counts), visitors };
}

function presentCount({ day, kind, verdict, events }: TrafficCount) {
  return { date: new Date(day).toISOString(), kind, verdict, events };
}

function totalsByVerdict(counts: readonly TrafficCount[]): Record<Verdict, number> {
  const totals: Record<Verdict, number> = { valid: 0, bot: 0, prefetch: 0, duplicate: 0, not_serving: 0 };
  for (const { verdict, events } of counts) totals[verdict] += events;
  return totals;
}
