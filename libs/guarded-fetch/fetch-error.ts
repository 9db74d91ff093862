/** Why an address was not fetched. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** Whether the same request may succeed at another time. */
  readonly canRetry: boolean;

  constructor(message: string, canRetry: boolean, options?: ErrorOptions) {
    super(message, options);
    this.canRetry = canRetry;
  }
}
