import { percentile, significant } from "./statistics.ts";

/** How long reads took, one after the other. */
export interface ReadTimes {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const AT_LEAST = 5;

/** Reads repeatedly for `seconds`, at least five times; results in milliseconds. `read` gets the number of earlier reads. */
export async function timeReads(
  seconds: number,
  read: (nth: number) => Promise<unknown>,
): Promise<ReadTimes> {
  const deadline = performance.now() + seconds * 1000;
  const times: number[] = [];
  while (performance.now() < deadline || times.length < AT_LEAST) {
    const started = performance.now();
    await read(times.length);
    times.push(performance.now() - started);
  }
  const ms = (share: number) => significant(percentile(times, share), 3);
  return { count: times.length, p50: ms(0.5), p99: ms(0.99), max: ms(1) };
}
