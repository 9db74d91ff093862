import type { StatsStore } from "#libs/stats-store/index.ts";

/**
 * Adds events that an earlier release has stored to the counts of quarter hours, day by day, the newest first. Stops between two days when
 * the signal is aborted; the next job continues. Rejects as `StatsStore` does, and at last if days stay incomplete.
 */
export async function fillQuarter(
  { stats }: { readonly stats: Pick<StatsStore, "monthsToFill" | "daysToFill" | "fillQuarter"> },
  signal: AbortSignal,
): Promise<void> {
  const incomplete: string[] = [];
  for (const month of await stats.monthsToFill()) {
    for (const day of await stats.daysToFill(month)) {
      if (signal.aborted) return;
      await stats.fillQuarter(day);
    }
    incomplete.push(...(await stats.daysToFill(month)));
  }
  if (incomplete.length > 0) throw new Error(`The counts stay incomplete: ${incomplete.join(", ")}.`);
}
