import type { Difference } from "./difference.ts";

/** Differences that change with every look come from running writes, so after these looks they are not reported. */
const MOST_LOOKS = 4;

/** The differences of the later look that the earlier one found too. */
export function persisting(earlier: readonly Difference[], later: readonly Difference[]): Difference[] {
  const known = new Set(earlier.map(({ signature }) => signature));
  return later.filter(({ signature }) => known.has(signature));
}

/**
 * Looks until two looks in a row agree, at most four times, and returns what the last two both found. So it leaves out data that
 * one store has a moment before the other. `pause` resolves when it is time to look again.
 */
export async function settle(
  look: () => Promise<Difference[]>,
  pause: () => Promise<void>,
): Promise<Difference[]> {
  let found = await look();
  let kept: Difference[] = [];
  for (let looks = 1; looks < MOST_LOOKS && found.length > 0; looks += 1) {
    await pause();
    const again = await look();
    kept = persisting(found, again);
    if (kept.length === again.length) return kept;
    found = again;
  }
  return kept;
}
