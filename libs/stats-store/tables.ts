/** The tables of events and their counts. `events` comes first: after a failed erasure the others still show that it is unfinished. */
export const COUNTING_TABLES = ["events", "daily", "quarter"] as const;

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
] as const;
