/**
 * - `UNAVAILABLE`: not now; the same call may succeed later
 * - `UNCLEAR`: the append may or may not have happened; `retryToken` marks its repetition
 * - `REFUSED`: the log will never accept this batch, for example because it is too large
 * - `CLOSED`: this process has closed the log
 * - `DAMAGED`: the stored data cannot be read; the operator has to decide
 * - `PARTITION_LOST`: another worker owns the partition
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

/** An error of the event log. `canRetry` tells whether the same call may succeed later. */
export class EventLogError extends Error {
  override readonly name = "EventLogError";
  readonly code: EventLogErrorCode;
  readonly canRetry: boolean;
  /** Set by an `UNCLEAR` append, to repeat it in `RepeatableLog.append`. Opaque. */
  readonly retryToken?: string;

  constructor(
    code: EventLogErrorCode,
    message: string,
    options: ErrorOptions & { readonly retryToken?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    if (options.retryToken !== undefined) this.retryToken = options.retryToken;
    this.canRetry = code === "UNAVAILABLE";
  }
}
