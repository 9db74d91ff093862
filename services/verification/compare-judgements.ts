import type { StatsStore } from "#libs/stats-store/index.ts";
import { compareCounts } from "./compare-counts.ts";
import { type Difference, MOST_HELD } from "./difference.ts";

/**
 * Finds verdicts of a day that contradict the rules: two events of a visitor, ad and kind that count within the window, a duplicate
 * without one that counts within the window, an event that is there twice, or counts that differ from the events.
 */
export async function* compareJudgements(
  stats: Pick<StatsStore, "judgementFaults" | "countDifferences">,
  day: string,
): AsyncGenerator<Difference> {
  const { visitors, doubledEvents } = await stats.judgementFaults(day, MOST_HELD);
  for (const { workspaceId, adId, kind, visitor, tooNear, withoutOriginal } of visitors) {
    const of = `${day}, ${adId} of ${workspaceId}, ${kind}s of visitor ${visitor}`;
    if (tooNear > 0) yield asDifference(`${of}: ${tooNear} more count than may within the window.`);
    if (withoutOriginal > 0)
      yield asDifference(`${of}: ${withoutOriginal} are duplicates of none that counts within the window.`);
  }
  if (doubledEvents > 0)
    yield asDifference(`${day}: ${doubledEvents} rows of events have the id of another.`);
  yield* compareCounts(stats, { from: day, to: day });
}

function asDifference(message: string): Difference {
  return { signature: message, message };
}
