import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

/** Names under which secrets travel; hidden wherever they stand, down to two levels inside a logged object. */
const SECRETS = ["authorization", "cookie", '["set-cookie"]', "password", "apiKey", "key", "secret", "token"];

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** A JSON logger to standard output, or to `destination`, that hides keys, passwords, cookies and authorization. */
export function createLogger(
  options: { readonly level: LogLevel; readonly name?: string },
  destination?: DestinationStream,
): Logger {
  const { level, name } = options;
  const settings: LoggerOptions = {
    level,
    redact: { paths: SECRETS.flatMap(everywhere), censor: "[hidden]" },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(name === undefined ? {} : { name }),
  };
  return destination === undefined ? pino(settings) : pino(settings, destination);
}

function everywhere(secret: string): string[] {
  const inside = secret.startsWith("[") ? secret : `.${secret}`;
  return [secret, `*${inside}`, `*.*${inside}`];
}
