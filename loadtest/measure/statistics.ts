/** Where several measurements of one thing lie. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The middle value, or the mean of the two in the middle. Throws on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error("There is no median of nothing.");
  return (lower + upper) / 2;
}

/** Throws on an empty list. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * The subject as a multiple of the baseline, round by round: what drifts over a run (heat, neighbours) hits both
 * sides of a round alike and cancels out. Throws when the sides have different numbers of rounds, or none.
 */
export function pairedRatio(subject: readonly number[], baseline: readonly number[]): Spread {
  if (subject.length !== baseline.length) throw new Error("Each round has a subject and a baseline.");
  return spreadOf(subject.map((value, round) => value / (baseline[round] ?? Number.NaN)));
}

/** Rounded to `digits` significant digits, for people and for JSON lines. */
export function significant(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** The smallest value that at least this share (0 to 1) of all values do not exceed. Throws on an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const [value = Number.NaN] = percentiles(values, [share]);
  if (Number.isNaN(value)) throw new Error("There is no percentile of nothing.");
  return value;
}

/** One for each of the shares, all of them NaN of an empty list. Quick enough to be done while other loads are under way. */
export function percentiles(values: readonly number[], shares: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  return shares.map((share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN);
}

/** How much y grows for one of x: the straight line that is nearest to the points (least squares). 0 for fewer than two x. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const meanX = mean(([x]) => x);
  const meanY = mean(([, y]) => y);
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}
