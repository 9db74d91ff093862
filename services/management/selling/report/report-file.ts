import { csvText } from "../../api/csv.ts";
import type { AdQuestion, AdReport } from "../../reports/of-ad.ts";

/** A report as CSV: a line for each value of its split, or else for each time. */
export function reportFile({ split }: AdQuestion, { times, values }: AdReport): string {
  if (split === null || values === null) {
    const lines = times.map(({ start, impressions, clicks, invalid }) => ({
      time: start,
      impressions,
      clicks,
      invalid,
    }));
    return csvText(["time", ...COUNTS], lines);
  }
  const lines = values.map(({ value, ...counts }) => ({ [split]: value, ...counts }));
  return csvText<string>([split, ...COUNTS], lines);
}

const COUNTS = ["impressions", "clicks", "invalid"] as const;
