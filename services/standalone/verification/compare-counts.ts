import type { CountDifference, DayRange, StatsStore } from "#libs/stats-store/index.ts";
import { monthsOf } from "./days.ts";
import { type Difference, MOST_HELD } from "./difference.ts";

/** Compares `events` with `daily`, a month at a time. */
export async function* compareCounts(
  stats: Pick<StatsStore, "countDifferences">,
  days: DayRange,
): AsyncGenerator<Difference> {
  for (const month of monthsOf(days)) {
    for (const one of await stats.countDifferences(month, MOST_HELD)) yield describeCounts(one);
  }
}

/** While events arrive both counts grow, so the signature has only the distance between them. */
export function describeCounts(one: CountDifference): Difference {
  const { workspaceId, adId, day, kind, verdict, events, daily } = one;
  return {
    signature: [workspaceId, adId, day, kind, verdict, events - daily].join(" "),
    message: `${day}, ${adId} of ${workspaceId}, ${kind} (${verdict}): events has ${events}, daily has ${daily}.`,
  };
}
