/**
 * - `PROCESSOR_FAILED`: the processor refused the call, answered nonsense or could not be reached
 * - `BAD_SIGNATURE`: a webhook that was not signed by the processor, or too long ago
 * - `NOT_FOUND`: the processor knows no object with that id
 */
export type PaymentsErrorCode = "PROCESSOR_FAILED" | "BAD_SIGNATURE" | "NOT_FOUND";

/**
 * What the payment processor could not do. `canRetry` tells whether the same call, with the same idempotency key,
 * may go through later. The message names no key, no signature and no person.
 */
export class PaymentsError extends Error {
  override readonly name = "PaymentsError";
  readonly code: PaymentsErrorCode;
  readonly canRetry: boolean;

  constructor(code: PaymentsErrorCode, message: string, canRetry = false) {
    super(message);
    this.code = code;
    this.canRetry = canRetry;
  }
}
