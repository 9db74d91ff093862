import { ClickHouseException } from "./exception.ts";
import type { RawFormat } from "./statement.ts";

const NEWLINE = 10;

/**
 * The rows of a body, to be given to chdb: it takes what follows an empty line for a statement of its own, and runs it.
 * Between JSON rows an empty line means nothing to ClickHouse either; elsewhere it could be a row, and is refused.
 */
export function withoutEmptyLines(format: RawFormat, body: Buffer): Buffer {
  if (body[0] !== NEWLINE && !body.includes("\n\n")) return body;
  if (format === "TabSeparated") {
    throw new ClickHouseException(
      27,
      "CANNOT_PARSE_INPUT_ASSERTION_FAILED",
      "An empty line is not taken for a row",
    );
  }
  // As latin1 every byte is a character and stays what it is.
  return Buffer.from(
    body
      .toString("latin1")
      .replace(/^\n+/, "")
      .replace(/\n{2,}/g, "\n"),
    "latin1",
  );
}
