// What an event log is

export { EventLogError, type EventLogErrorCode } from "./errors.ts";
// The log in one SQLite file
export { type LocalEventLogOptions, openLocalEventLog } from "./local.ts";
export * from "./port.ts";
