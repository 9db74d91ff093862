import type { Difference } from "./difference.ts";

/** What changes with every look is not reported: it is what happens, and not what is wrong. */
const MOST_LOOKS = 4;

/** Those of the later look that the earlier one has found as well, unchanged. */
export function persisting(earlier: readonly Difference[], later: readonly Difference[]): Difference[] {
  const known = new Set(earlier.map(({ signature }) => signature));
  return later.filter(({ signature }) => known.has(signature));
}

/**
 * Looks until two looks in a row agree, at most four times, and returns what both of the last two have found: what one store
 * has a moment before the other is no difference. `pause` resolves when it is time to look again.
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
