import type { StatsStore } from "#libs/stats-store/index.ts";
import type { Payloads } from "../queue/tasks.ts";

/** How far back an earlier release that runs beside this one still stores events. */
const RECENT_MS = 2 * 86_400_000;

export interface FillPorts {
  readonly stats: Pick<StatsStore, "monthsToFill" | "daysToFill" | "fillCounts">;
  readonly now: () => number;
}

/**
 * Adds events that an earlier release has stored to the sums that are younger, day by day, the newest first: all of them, or those of
 * months with recent ones. Stops between two days when the signal is aborted; the next job continues. Rejects as `StatsStore` does, and at
 * last if days stay incomplete.
 */
export async function fillCounts(
  { stats, now }: FillPorts,
  { isWhole = false }: Payloads["fill-quarter"],
  signal: AbortSignal,
): Promise<void> {
  const from = new Date(now() - RECENT_MS).toISOString().slice(0, 10);
  const incomplete: string[] = [];
  for (const month of await (isWhole ? stats.monthsToFill() : stats.monthsToFill(from))) {
    for (const day of await stats.daysToFill(month)) {
      if (signal.aborted) return;
      await stats.fillCounts(day);
    }
    incomplete.push(...(await stats.daysToFill(month)));
  }
  if (incomplete.length > 0) throw new Error(`The counts stay incomplete: ${incomplete.join(", ")}.`);
}
