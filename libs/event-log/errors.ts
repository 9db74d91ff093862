/**
 * - `UNAVAILABLE`: the log could not do it now; the same call may go through later
 * - `CLOSED`: the log has been closed by this process
 * - `DAMAGED`: what the log has stored cannot be read; a person has to look at it
 * - `PARTITION_LOST`: another worker owns the partition by now
 * - `RANGE_GONE`: the log no longer holds all of the range
 */
export type EventLogErrorCode = "UNAVAILABLE" | "CLOSED" | "DAMAGED" | "PARTITION_LOST" | "RANGE_GONE";

/** What the event log could not do. `canRetry` tells whether the same call may go through later. */
export class EventLogError extends Error {
  override readonly name = "EventLogError";
  readonly code: EventLogErrorCode;
  readonly canRetry: boolean;

  constructor(code: EventLogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.canRetry = code === "UNAVAILABLE";
  }
}
