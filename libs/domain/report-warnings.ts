/** What a reader of a report should know of its figures: for programs and, in a sentence, for people. */
export const REPORT_WARNINGS = {
  PERIOD_NOT_OVER: "The period is not over. It is compared with the same time of the earlier period.",
  BUCKETS_CUT: "The first or the last bucket is cut, because the period does not begin or end with one.",
  BEFORE_FIRST_EVENT: "The workspace had no event before some of the times, so these have no figures.",
} as const;

export type ReportWarning = keyof typeof REPORT_WARNINGS;
export const REPORT_WARNING_CODES = [
  "PERIOD_NOT_OVER",
  "BUCKETS_CUT",
  "BEFORE_FIRST_EVENT",
] as const satisfies ReportWarning[];
