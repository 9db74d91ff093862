// What an event log is

export { EventLogError, type EventLogErrorCode } from "./errors.ts";
export * from "./port.ts";

// The log in one SQLite file

export { type LocalEventLogOptions, openLocalEventLog } from "./local.ts";
