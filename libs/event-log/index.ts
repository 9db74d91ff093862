// The port

// Metrics of any log
export { measureBacklog } from "./backlog-metrics.ts";
export { EventLogError, type EventLogErrorCode } from "./errors.ts";
// Adapters
export { type KafkaEventLogOptions, openKafkaEventLog } from "./kafka/event-log.ts";
export { type LocalEventLog, type LocalEventLogOptions, openLocalEventLog } from "./local/event-log.ts";
export { findLogDamage, type LocalLogState, readLocalLog } from "./local/state.ts";
export * from "./port.ts";
// In front of a log
export { openSpill, type SpillOptions } from "./spill/spill.ts";
export { type WatchedLog, watchLog } from "./watched-log.ts";
