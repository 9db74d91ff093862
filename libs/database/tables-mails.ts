import type { ColumnType } from "kysely";

/** Set by the database when left out. */
type Timestamp = ColumnType<Date, Date | undefined, never>;

export interface MonthlyReportsTable {
  advertiser_id: string;
  /** In UTC, as `2026-10`. */
  month: string;
  workspace_id: string;
  queued_at: Timestamp;
}

export interface ReportUnsubscribesTable {
  advertiser_id: string;
  workspace_id: string;
  created_at: Timestamp;
}
