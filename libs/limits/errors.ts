/**
 * - `UNAVAILABLE`: nothing can be judged now; the same call may succeed later
 * - `REFUSED`: the batch's id belongs to other events, or was abandoned. Nothing of the batch was judged, and it never will be under this id
 * - `FAILED`: the judge fails at this batch, for example at what is stored about one of its visitors; others can be judged
 */
export type LimitsErrorCode = "UNAVAILABLE" | "REFUSED" | "FAILED";

/** Why a batch was not judged. */
export class LimitsError extends Error {
  override readonly name = "LimitsError";
  readonly code: LimitsErrorCode;

  constructor(code: LimitsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
