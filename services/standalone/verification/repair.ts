import type { StatsStore } from "#libs/stats-store/index.ts";
import { describeCounts } from "./compare-counts.ts";
import { keptDays, type RepairOrder } from "./days.ts";

type Store = Pick<StatsStore, "totalsOfDay" | "rebuildDaily" | "countDifferences">;

const MOST_NAMED = 10;

/**
 * Makes the counts of days from the raw events again and says so of each; returns whether all were made and are right. Begins
 * with none where one is refused: where raw events are, or seem to be, gone, counts would be lost. May be repeated after it
 * broke off.
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
    await stats.rebuildDaily(day);
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
