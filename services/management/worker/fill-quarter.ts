import type { StatsStore } from "#libs/stats-store/index.ts";

/**
 * Adds events that an earlier release has stored to the counts of quarter hours, day by day, the newest first. Stops between two days when
 * the signal is aborted; the next job continues. Rejects as `StatsStore` does, and if a day stays incomplete.
 */
export async function fillQuarter(
  { stats }: { readonly stats: Pick<StatsStore, "daysToFill" | "fillQuarter"> },
  signal: AbortSignal,
): Promise<void> {
  let before: string | undefined;
  for (;;) {
    const days = await stats.daysToFill();
    const [newest] = days;
    if (newest === undefined) return;
    if (newest === before) throw new Error(`The counts of ${newest} stay incomplete.`);
    before = newest;
    for (const day of days) {
      if (signal.aborted) return;
      await stats.fillQuarter(day);
    }
  }
}
