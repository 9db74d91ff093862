/** Counts of one UTC day. */
export interface StatsRow {
  /** Midnight UTC of the day. */
  readonly date: string;
  readonly impressions: number;
  readonly clicks: number;
}

/** A point of a chart: a day, or a week named by its first day. */
export interface ChartPoint extends StatsRow {
  readonly days: number;
  /** Whether it includes today, which is not over. */
  readonly isUnfinished: boolean;
}

/** A point as a chart draws it. */
export interface ChartedPoint {
  /** No two points have the same. */
  readonly label: string;
  /** The label in its tip. */
  readonly name: string;
  /** Null where there is no figure. */
  readonly impressions: number | null;
  readonly clicks: number | null;
  /** Whether it is drawn dashed. */
  readonly isUnfinished: boolean;
  /** What it is compared with, drawn as a second line. */
  readonly before?: { readonly impressions: number | null; readonly clicks: number | null };
}

/** In pixels. */
export const CHART_HEIGHT = 200;
/** Charts of more days than this have a point per week. */
const MOST_DAYS = 100;
const WEEK = 7;
const STEPS = 5;

/** The points of a chart of days that end today. Weeks end today too; the days before the first whole week are left out. */
export function chartPoints(rows: readonly StatsRow[]): ChartPoint[] {
  const days = rows.length > MOST_DAYS ? WEEK : 1;
  const first = rows.length % days;
  const points: ChartPoint[] = [];
  for (let start = first; start < rows.length; start += days) {
    const part = rows.slice(start, start + days);
    points.push({
      date: part[0]?.date ?? "",
      impressions: sum(part.map(({ impressions }) => impressions)),
      clicks: sum(part.map(({ clicks }) => clicks)),
      days,
      isUnfinished: start + days >= rows.length,
    });
  }
  return points;
}

/** Round, even ticks from 0 to at least `most`: steps of 1, 2 or 5 times a power of ten. */
export function roundTicks(most: number): number[] {
  const rough = Math.max(1, most / STEPS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? power * 10;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
