import type { BaseLogger } from "pino";

/** The part of a pino logger that the database writes to. */
export type DatabaseLogger = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;
