import { trimEndOf } from "#libs/domain/trim-end.ts";
import { ClickHouseException } from "./exception.ts";

/** Address parameters that belong to the HTTP interface; every other one is a setting of the query. */
const NOT_SETTINGS = new Set([
  "query",
  "query_id",
  "database",
  "default_format",
  "wait_end_of_query",
  "buffer_size",
  "enable_http_compression",
  "send_progress_in_http_headers",
  "http_headers_progress_interval_ms",
]);

/** Parameters that change the user or the state of a connection; this server has neither. */
const REFUSED = new Set([
  "session_id",
  "session_check",
  "session_timeout",
  "role",
  "user",
  "password",
  "compress",
  "decompress",
]);

/** The settings in an address, by name. Names are checked, so that they are safe in a statement. */
export function readSettings(address: URLSearchParams): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of address) {
    if (NOT_SETTINGS.has(name) || name.startsWith("param_")) continue;
    if (REFUSED.has(name)) throw new ClickHouseException(48, "NOT_IMPLEMENTED", `No ${name} here`);
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      throw new ClickHouseException(115, "UNKNOWN_SETTING", "Unknown setting");
    settings[name] = value;
  }
  return settings;
}

/**
 * Puts the settings into the statement itself, because connections are shared and a `SET` would outlast the request. A
 * clause after FORMAT belongs to the whole statement, whatever SETTINGS a table or a SELECT in it has of its own.
 */
export function withSettings(sql: string, settings: Record<string, string>, defaultFormat: string): string {
  const entries = Object.entries(settings);
  if (entries.length === 0) return sql;
  const statement = trimEndOf(sql, " \t\r\n;");
  const hasNoOutput = /^INSERT\b/i.test(statement);
  const format = hasNoOutput || /\bFORMAT\s+\w+$/i.test(statement) ? "" : `\nFORMAT ${defaultFormat}`;
  const clause = entries.map(([name, value]) => `${name} = ${quoteText(value)}`).join(", ");
  return `${statement}${format}\nSETTINGS ${clause}`;
}

/** Sessions are shared between requests, so no request may leave a setting or a database behind in one. */
export function refuseToChangeSession(sql: string): void {
  if (/^(?:SET|USE)\b/i.test(sql)) {
    throw new ClickHouseException(48, "NOT_IMPLEMENTED", "Settings and the database go in the address here");
  }
}

/** A text as a constant. chdb takes a statement as far as its first zero byte. */
export function quoteText(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\0", "\\0")
    .replaceAll("\n", "\\n");
  return `'${escaped}'`;
}

/** An insert whose rows come as the request's body. */
export interface RawInsert {
  readonly table: string;
  readonly columns: string[];
  readonly format: RawFormat;
}

/** The line formats whose bytes chdb takes as they are. */
const RAW_FORMATS = ["JSONCompactEachRow", "JSONEachRow", "TabSeparated"] as const;
export type RawFormat = (typeof RAW_FORMATS)[number];

const INSERT = /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([\w.]+)\s*(?:\(([\w\s,]+)\)\s*)?FORMAT\s+(\w+)\s*$/i;

/** Reads `INSERT INTO table (columns) FORMAT name`, or null for any other statement. */
export function readRawInsert(sql: string): RawInsert | null {
  const [, table, columns, name] = INSERT.exec(sql) ?? [];
  if (table === undefined) return null;
  const format = RAW_FORMATS.find((known) => known === name);
  if (format === undefined) {
    throw new ClickHouseException(73, "UNKNOWN_FORMAT", `Rows are taken as ${RAW_FORMATS.join(", ")}`);
  }
  return {
    table,
    columns: columns === undefined ? [] : columns.split(",").map((column) => column.trim()),
    format,
  };
}

const NEWLINE = 10;

/**
 * The rows of a body, for chdb, which would run the text after an empty line as another statement.
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
  // In latin1 every byte is a character and keeps its value.
  return Buffer.from(
    body
      .toString("latin1")
      .replace(/^\n+/, "")
      .replace(/\n{2,}/g, "\n"),
    "latin1",
  );
}
