import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from "pino";

/** Where Postgres repeats what a statement was given: rows, parameters, the statement itself. */
const VALUES = ["detail", "where", "internalQuery", "parameters", "query"];
/** Codes of Postgres errors about a value. Their messages quote it. */
const ABOUT_A_VALUE = /^22/;

/** Names under which secrets travel; hidden wherever they stand, down to two levels inside a logged object. */
const SECRETS = ["authorization", "cookie", '["set-cookie"]', "password", "apiKey", "key", "secret", "token"];

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** A JSON logger that hides keys, passwords, cookies and authorization, and the values that errors of Postgres and Redis quote. */
export function createLogger(
  options: { readonly level: LogLevel; readonly name?: string },
  destination?: DestinationStream,
): Logger {
  const { level, name } = options;
  const settings: LoggerOptions = {
    level,
    redact: { paths: SECRETS.flatMap(everywhere), censor: "[hidden]" },
    serializers: { err: withoutValues, error: withoutValues },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(name === undefined ? {} : { name }),
  };
  return destination === undefined ? pino(settings) : pino(settings, destination);
}

/** An error as pino writes it, without the values that one of Postgres or Redis carries. */
function withoutValues(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const written: Record<string, unknown> = { ...stdSerializers.err(thrown) };
  // One of Redis repeats what the command was given: addresses, hashes of visitors, a whole snapshot. So may one inside another.
  hideArguments(written);
  if (!isOfPostgres(thrown)) return written;
  for (const name of VALUES) delete written[name];
  if (!ABOUT_A_VALUE.test(thrown.code)) return written;
  for (const name of ["message", "stack"]) {
    if (typeof written[name] === "string") written[name] = written[name].replaceAll(/"[^"]*"/g, '"…"');
  }
  return written;
}

/** Leaves only the name of a command, also in errors that are properties of this one. */
function hideArguments(written: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(written)) {
    if (!isObject(value)) continue;
    if (name === "command" && "args" in value) written[name] = value.name;
    else if (value instanceof Error || "stack" in value) written[name] = withoutArguments(value);
    else if (name === "aggregateErrors" && Array.isArray(value)) written[name] = value.map(withoutArguments);
  }
}

function withoutArguments(value: unknown): unknown {
  if (!isObject(value)) return value;
  const copy = { ...value };
  hideArguments(copy);
  return copy;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Errors of a Postgres server have both. */
function isOfPostgres(error: Error): error is Error & { code: string; severity: string } {
  return (
    "severity" in error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^[0-9A-Z]{5}$/.test(error.code)
  );
}

function everywhere(secret: string): string[] {
  const inside = secret.startsWith("[") ? secret : `.${secret}`;
  return [secret, `*${inside}`, `*.*${inside}`];
}
