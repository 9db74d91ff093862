import pg from "pg";

/** Type ids of Postgres' catalog (`pg_type.oid`), fixed for built-in types. */
const INT8 = 20;
const DATE = 1082;
const NUMERIC = 1700;

/** An integer that JavaScript cannot represent exactly is an error, never a rounded amount. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The integer ${text} is too large for an exact number.`);
  return value;
}

/** Reads `bigint` and `numeric` as numbers, and `date` as text, because a `Date` depends on the machine's time zone. */
export const columnValues: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: "text" | "binary") => {
    if (format === "binary") return pg.types.getTypeParser(id, "binary");
    if (id === INT8) return parseInt8;
    if (id === NUMERIC) return Number;
    if (id === DATE) return String;
    return pg.types.getTypeParser(id, "text");
  },
};
