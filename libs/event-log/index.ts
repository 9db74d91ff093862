// What an event log is

export { EventLogError, type EventLogErrorCode } from "./errors.ts";
export * from "./port.ts";

// The log in one SQLite file

export { type LocalEventLog, type LocalEventLogOptions, openLocalEventLog } from "./local.ts";
export { type LocalLogState, readLocalLog } from "./local-state.ts";

// Whether events can be appended

export { type WatchedLog, watchLog } from "./watched-log.ts";

// The spill in front of a log

export { openSpill } from "./spill.ts";
export type { SpillingLog, SpillOptions, SpillState } from "./spill-options.ts";

// The log in Apache Kafka

export { type KafkaEventLogOptions, openKafkaEventLog } from "./kafka.ts";
