/**
 * - `REFUSED`: the rows cannot be parsed or break a constraint; the same insert will be refused again
 * - `UNAVAILABLE`: no answer, or an answer that has nothing to do with the rows; may go through later
 */
export type StatsStoreErrorCode = "REFUSED" | "UNAVAILABLE";

/** What the stats store could not do. `canRetry` tells whether the same call may go through later. */
export class StatsStoreError extends Error {
  override readonly name = "StatsStoreError";
  readonly code: StatsStoreErrorCode;
  readonly canRetry: boolean;

  constructor(code: StatsStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.canRetry = code === "UNAVAILABLE";
  }
}
