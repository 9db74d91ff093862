/** A key may ask 120 times a minute, and has been used before. */
const READS_PER_SECOND = 1;

export interface StatsReads {
  /** In milliseconds. */
  readonly times: readonly number[];
  readonly failed: number;
}

/** Reads stats once per second for `duration` seconds, one after the other. `ask` resolves to whether it got an answer. */
export async function readStatsFor(
  duration: number,
  ask: (nth: number) => Promise<boolean>,
): Promise<StatsReads> {
  const times: number[] = [];
  let failed = 0;
  for (let nth = 0; nth < duration * READS_PER_SECOND; nth += 1) {
    const started = performance.now();
    if (!(await ask(nth).catch(() => false))) failed += 1;
    const took = performance.now() - started;
    times.push(took);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 / READS_PER_SECOND - took)));
  }
  return { times, failed };
}
