/** The tables of events and their counts. `events` comes first: after a failed erasure the others still show that it is unfinished. */
export const COUNTING_TABLES = ["events", "daily", "quarter", "wide"] as const;

/** As a list in SQL. */
export const COUNTING_TABLES_SQL = COUNTING_TABLES.map((table) => `'${table}'`).join(", ");

/** The sums that a view makes of `events`, each with the day of a row. */
export const SUMS = [
  { table: "daily", day: "day", view: new URL("./schema/0003_daily_from_events.sql", import.meta.url) },
  {
    table: "quarter",
    day: "toDate(bucket)",
    view: new URL("./schema/0012_quarter_from_events.sql", import.meta.url),
  },
  {
    table: "wide",
    day: "toDate(bucket)",
    view: new URL("./schema/0015_wide_from_events.sql", import.meta.url),
  },
] as const;

/**
 * The sums that are younger than `events`. The view of each counts the rows that have something in the column; those of earlier releases
 * have nothing there.
 */
export const YOUNGER_SUMS = [
  { table: "quarter", column: "source" },
  { table: "wide", column: "device" },
] as const;

/** The tables that drop what is older than a setting says, and what has the day of their rows. */
export const EXPIRING_TABLES = [
  { table: "events", day: "toDate(occurred_at)", setting: "eventRetentionDays" },
  { table: "wide", day: "toDate(bucket)", setting: "splitRetentionDays" },
] as const;
