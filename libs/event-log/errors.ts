export type EventLogErrorCode = "UNAVAILABLE" | "CLOSED" | "PARTITION_LOST" | "RANGE_GONE";

const CAN_RETRY: Record<EventLogErrorCode, boolean> = {
  UNAVAILABLE: true,
  CLOSED: false,
  PARTITION_LOST: false,
  RANGE_GONE: false,
};

/** What the event log could not do. `canRetry` tells whether the same call may go through later. */
export class EventLogError extends Error {
  override readonly name = "EventLogError";
  readonly code: EventLogErrorCode;
  readonly canRetry: boolean;

  constructor(code: EventLogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.canRetry = CAN_RETRY[code];
  }
}
