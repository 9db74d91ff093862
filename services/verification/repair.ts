import type { StatsStore } from "#libs/stats-store/index.ts";
import { describeCounts } from "./compare-counts.ts";
import { keptDays, type RepairOrder } from "./days.ts";

type Store = Pick<StatsStore, "totalsOfDay" | "rebuildCounts" | "countDifferences">;

const MOST_NAMED = 10;

/**
 * Rebuilds the counts of days from the raw events and prints a line per day. Returns whether all were rebuilt and are right.
 * If raw events of any day are or seem to be gone, it changes nothing, because counts would be lost. Safe to repeat after an
 * interruption.
 */
export async function repair(
  stats: Store,
  retentionDays: number,
  { days, force }: RepairOrder,
  now: number,
  say: (line: string) => void,
): Promise<boolean> {
  const refused = force ? [] : await refusals(stats, retentionDays, days, now);
  if (refused.length > 0) {
    for (const line of refused) say(line);
    say("Nothing was changed. To do it all the same, add --force: counts without raw events are then gone.");
    return false;
  }
  let isRight = true;
  for (const day of days) {
    const before = await stats.totalsOfDay(day);
    await stats.rebuildCounts(day);
    const differences = await stats.countDifferences({ from: day, to: day }, MOST_NAMED);
    say(`${day}: made from ${before.events} raw events; daily had ${before.daily}.`);
    for (const difference of differences) say(`  ${describeCounts(difference).message}`);
    if (differences.length > 0)
      say("  Something was inserted meanwhile: stop ingestion and repair the day again.");
    isRight &&= differences.length === 0;
  }
  return isRight;
}

async function refusals(
  stats: Store,
  retentionDays: number,
  days: readonly string[],
  now: number,
): Promise<string[]> {
  const { from } = keptDays(retentionDays, now);
  const lines: string[] = [];
  for (const day of days) {
    if (day < from) {
      lines.push(`${day}: raw events are kept since ${from} alone.`);
      continue;
    }
    const { events, daily } = await stats.totalsOfDay(day);
    if (events < daily) lines.push(`${day}: events has ${events} rows, and daily counts ${daily}.`);
  }
  return lines;
}
