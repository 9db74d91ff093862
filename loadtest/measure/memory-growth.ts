import { median, slopeOf } from "./statistics.ts";

/** A sample of a process under constant load. */
export interface MemorySample {
  readonly seconds: number;
  readonly residentBytes: number;
}

export interface MemoryGrowth {
  readonly medianBytes: number;
  /** The slope of the straight line through the samples that are judged. */
  readonly bytesPerHour: number;
  /** What that line has gained over the time that is judged, as a share of the median. */
  readonly share: number;
  readonly hasGrown: boolean;
}

/** Caches fill and code is compiled in the beginning, which is no leak. */
const NOT_JUDGED = 1 / 3;
const GROWTH_ALLOWED = 0.1;

/** Whether memory grows under a load that does not: by the slope of all but the first third. Undefined below four samples. */
export function judgeMemory(samples: readonly MemorySample[]): MemoryGrowth | undefined {
  const judged = samples.slice(Math.floor(samples.length * NOT_JUDGED));
  const [first, last] = [judged[0], judged.at(-1)];
  if (judged.length < 4 || first === undefined || last === undefined) return undefined;
  const bytesPerSecond = slopeOf(
    judged.map(({ seconds, residentBytes }) => [seconds, residentBytes] as const),
  );
  const medianBytes = median(judged.map(({ residentBytes }) => residentBytes));
  const share = (bytesPerSecond * (last.seconds - first.seconds)) / medianBytes;
  return { medianBytes, bytesPerHour: bytesPerSecond * 3_600, share, hasGrown: share > GROWTH_ALLOWED };
}
