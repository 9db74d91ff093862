import { ClickHouseError } from "@clickhouse/client";
import { trimEndOf } from "#libs/domain/trim-end.ts";
import { StatsStoreError } from "./errors.ts";

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

/** What to look at, for exceptions whose own text leaves an operator alone. */
const HINTS = new Map([
  [516, "look at CLICKHOUSE_USER and CLICKHOUSE_PASSWORD"],
  [81, "look at CLICKHOUSE_DATABASE; a service makes its database when it starts"],
  [60, "a service makes its tables when it starts"],
]);

/**
 * What a failed call means to the caller. Whatever is not certainly the rows' fault is worth a retry: a wrong
 * `REFUSED` would put good events aside, a wrong `UNAVAILABLE` only delays them.
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
