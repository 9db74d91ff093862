interface Totals {
  readonly impressions: number;
  readonly clicks: number;
}

/** Clicks of a hundred impressions, as a share; NaN where there was no impression. */
export function clickThroughRate({ impressions, clicks }: Totals): number {
  return impressions === 0 ? Number.NaN : clicks / impressions;
}
