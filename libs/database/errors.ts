export type DatabaseErrorCode =
  /** Nothing answers at the address, or it refuses the connection. Worth a retry. */
  | "UNREACHABLE"
  /** The URL is not that of a Postgres database. */
  | "BAD_URL"
  /** The schema cannot be migrated; a person has to decide. */
  | "MIGRATION_REFUSED"
  /** The embedded Postgres is not installed or cannot run here. */
  | "EMBEDDED_UNAVAILABLE"
  /** The data folder cannot be used: not writable, in use, another version, damaged. */
  | "DATA_FOLDER"
  /** Another program listens on the port of the embedded Postgres. */
  | "PORT_TAKEN";

/** A problem for the operator of the database. The message is in whole sentences and has no secrets. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The message of anything thrown. A refused connection to several addresses has one per address. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error or of a Postgres error (`ENOENT`, `23505`); undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The constraint or unique index that a write violated; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("constraint" in error)) return undefined;
  return typeof error.constraint === "string" ? error.constraint : undefined;
}

/** System errors when a connection fails or breaks. */
const CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** SQLSTATE codes of a Postgres that is starting, stopping or out of connections. */
const SERVER_CODES = /^(?:08\w{3}|57P0[123]|53300)$/;
/** Messages of pg without a code. */
const CONNECTION_MESSAGES = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
]);

/** Whether the server canceled a statement that took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === "57014";
}

/** Whether a statement failed because the database is unreachable, not because of the statement itself. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== undefined)
    return CONNECTION_CODES.has(code) || SERVER_CODES.test(code) || code === "UNREACHABLE";
  return CONNECTION_MESSAGES.has(error.message);
}
