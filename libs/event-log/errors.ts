/**
 * - `UNAVAILABLE`: the log could not do it now; the same call may go through later
 * - `UNCLEAR`: the append may or may not have happened; `attempt` names it, for a repetition that is known as one
 * - `REFUSED`: the log will not take this batch, however often it is asked; it is too large, say
 * - `CLOSED`: the log has been closed by this process
 * - `DAMAGED`: what the log has stored cannot be read; a person has to look at it
 * - `PARTITION_LOST`: another worker owns the partition by now
 * - `RANGE_GONE`: the log no longer holds all of the range
 */
export type EventLogErrorCode =
  | "UNAVAILABLE"
  | "UNCLEAR"
  | "REFUSED"
  | "CLOSED"
  | "DAMAGED"
  | "PARTITION_LOST"
  | "RANGE_GONE";

/** What the event log could not do. `canRetry` tells whether the same call may go through later. */
export class EventLogError extends Error {
  override readonly name = "EventLogError";
  readonly code: EventLogErrorCode;
  readonly canRetry: boolean;
  /** Of an `UNCLEAR` append: what `RepeatableLog.append` takes to repeat it. Opaque. */
  readonly attempt?: string;

  constructor(
    code: EventLogErrorCode,
    message: string,
    options: ErrorOptions & { readonly attempt?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    if (options.attempt !== undefined) this.attempt = options.attempt;
    this.canRetry = code === "UNAVAILABLE";
  }
}
