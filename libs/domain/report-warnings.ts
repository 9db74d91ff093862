/** What a reader of a report should know of its figures, for programs. */
export const REPORT_WARNING_CODES = ["PERIOD_NOT_OVER", "BUCKETS_CUT", "BEFORE_FIRST_EVENT"] as const;
export type ReportWarning = (typeof REPORT_WARNING_CODES)[number];

/** The same for people. */
export const REPORT_WARNINGS: Readonly<Record<ReportWarning, string>> = {
  PERIOD_NOT_OVER: "The period is not over. It is compared with the same time of the earlier period.",
  BUCKETS_CUT: "The first or the last bucket is cut, because the period does not begin or end with one.",
  BEFORE_FIRST_EVENT: "The workspace had no event before some of the times, so these have no figures.",
};
