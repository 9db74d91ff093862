/** What a reader of a report should know of its figures, for programs. */
export const REPORT_WARNING_CODES = [
  "PERIOD_NOT_OVER",
  "BUCKETS_CUT",
  "BEFORE_FIRST_EVENT",
  "TEXTS_FOLDED",
] as const;
export type ReportWarning = (typeof REPORT_WARNING_CODES)[number];

/** The same for people. */
export const REPORT_WARNINGS: Readonly<Record<ReportWarning, string>> = {
  PERIOD_NOT_OVER:
    "The period has not ended. It is compared with the earlier period up to the same local time.",
  BUCKETS_CUT: "The first or last week or month is incomplete, because the period starts or ends within it.",
  TEXTS_FOLDED: "There are too many values. Those with the fewest events are counted together, as (other).",
  BEFORE_FIRST_EVENT: "Rows before the workspace's first event have no figures.",
};
