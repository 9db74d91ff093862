import pg from "pg";

/** Type ids of Postgres' catalog (`pg_type.oid`), fixed for built-in types. */
const INT8 = 20;
const DATE = 1082;
const NUMERIC = 1700;

/** An integer that JavaScript cannot hold exactly is an error, never a rounded amount. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The integer ${text} is beyond what can be held exactly.`);
  return value;
}

/**
 * How the values of columns arrive, for one pool and not for the process: `bigint` and `numeric` as numbers, `date` as
 * its text (a `Date` would move with the machine's time zone), all else as pg does, `timestamptz` as `Date`.
 */
export const columnValues: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: "text" | "binary") => {
    if (format === "binary") return pg.types.getTypeParser(id, "binary");
    if (id === INT8) return parseInt8;
    if (id === NUMERIC) return Number;
    if (id === DATE) return String;
    return pg.types.getTypeParser(id, "text");
  },
};
