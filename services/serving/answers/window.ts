/** The windows of the clock in which answers stay the same: the rotation's order, and proofs. In milliseconds. */
export const WINDOW_MS = 60_000;

/** The number of the window at `now`. */
export function windowAt(now: number): number {
  return Math.floor(now / WINDOW_MS);
}
