/**
 * - `PROCESSOR_FAILED`: the processor rejected the call, sent a malformed answer or could not be reached
 * - `BAD_SIGNATURE`: a webhook without a valid, recent signature of the processor
 * - `BAD_EVENT`: a webhook that the processor has signed, but that is no event
 * - `NOT_FOUND`: the processor has no object with that id
 * - `ACCOUNT_GONE`: the connected account is closed, or its owner has disconnected it: nothing in it can be read or changed. A key that
 *   the processor does not let into the account gets this answer, too
 * - `REFUND_REFUSED`: less is left of the charge, or it is disputed
 */
export type PaymentsErrorCode =
  | "PROCESSOR_FAILED"
  | "BAD_SIGNATURE"
  | "BAD_EVENT"
  | "NOT_FOUND"
  | "ACCOUNT_GONE"
  | "REFUND_REFUSED";

/**
 * A failed call. `canRetry`: the same call with the same idempotency key may succeed. `isRefusal`: the processor has answered
 * that it changed nothing; otherwise it may have made the change. No key or personal data in it.
 */
export class PaymentsError extends Error {
  override readonly name = "PaymentsError";
  readonly code: PaymentsErrorCode;
  readonly canRetry: boolean;
  readonly isRefusal: boolean;

  constructor(code: PaymentsErrorCode, message: string, canRetry = false, isRefusal = false) {
    super(message);
    this.code = code;
    this.canRetry = canRetry;
    this.isRefusal = isRefusal;
  }
}

/** Whether the processor says that the connected account of the call is closed or disconnected. */
export function isAccountGone(error: unknown): error is PaymentsError {
  return error instanceof PaymentsError && error.code === "ACCOUNT_GONE";
}

/** Whether the processor has no such object. */
export function isNotFound(error: unknown): error is PaymentsError {
  return error instanceof PaymentsError && error.code === "NOT_FOUND";
}
