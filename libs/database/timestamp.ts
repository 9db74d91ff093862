import type { ColumnType } from "kysely";

/** Set by the database when left out. */
export type Timestamp = ColumnType<Date, Date | undefined, Date>;
