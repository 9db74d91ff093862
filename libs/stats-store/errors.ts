import { ClickHouseError } from "@clickhouse/client";
import { trimEndOf } from "#libs/domain/trim-end.ts";

/**
 * - `REFUSED`: the rows cannot be parsed or break a constraint; the same insert will be refused again
 * - `UNAVAILABLE`: no answer, or an answer that has nothing to do with the rows; may go through later
 */
export type StatsStoreErrorCode = "REFUSED" | "UNAVAILABLE";

/** A failed call of the stats store. `canRetry`: the same call may succeed later. */
export class StatsStoreError extends Error {
  override readonly name = "StatsStoreError";
  readonly code: StatsStoreErrorCode;
  readonly canRetry: boolean;

  constructor(code: StatsStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.canRetry = code === "UNAVAILABLE";
  }
}

/**
 * The exceptions that ClickHouse raises over the bytes or values of a row while it reads
 * `JSONCompactEachRow`, by their number in its ErrorCodes.cpp.
 */
const ROWS_AT_FAULT = new Map([
  [6, "CANNOT_PARSE_TEXT"],
  [25, "CANNOT_PARSE_ESCAPE_SEQUENCE"],
  [26, "CANNOT_PARSE_QUOTED_STRING"],
  [27, "CANNOT_PARSE_INPUT_ASSERTION_FAILED"],
  [38, "CANNOT_PARSE_DATE"],
  [41, "CANNOT_PARSE_DATETIME"],
  [53, "TYPE_MISMATCH"],
  [69, "ARGUMENT_OUT_OF_BOUND"],
  [72, "CANNOT_PARSE_NUMBER"],
  [117, "INCORRECT_DATA"],
  [131, "TOO_LARGE_STRING_SIZE"],
  [321, "VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE"],
  [349, "CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN"],
  [469, "VIOLATED_CONSTRAINT"],
  [691, "UNKNOWN_ELEMENT_OF_ENUM"],
]);

/** Hints for exceptions whose own text does not help an operator. */
const HINTS = new Map([
  [516, "check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD"],
  [81, "check CLICKHOUSE_DATABASE; a service makes its database when it starts"],
  [60, "a service makes its tables when it starts"],
]);

/**
 * A failed call as an error of the port. Unless the rows are certainly at fault it is `UNAVAILABLE`: a wrong `REFUSED`
 * would lose good events to the dead letters, a wrong `UNAVAILABLE` only delays them.
 */
export function toStatsStoreError(doing: string, cause: unknown): StatsStoreError {
  if (cause instanceof StatsStoreError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof ClickHouseError ? Number(cause.code) : 0;
  const hint = HINTS.has(code) ? ` (${HINTS.get(code)})` : "";
  return new StatsStoreError(
    ROWS_AT_FAULT.has(code) ? "REFUSED" : "UNAVAILABLE",
    `${doing}: ${firstLine(reason)}${hint}`,
    { cause },
  );
}

/** ClickHouse explains a parse error over many lines, with the rows in them. */
function firstLine(text: string): string {
  const line = trimEndOf(text.split("\n", 1)[0] ?? "", ". \t\r");
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
