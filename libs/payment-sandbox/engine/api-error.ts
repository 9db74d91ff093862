/** A refusal in Stripe's words: status and body of the answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly details: ApiErrorDetails;

  constructor(status: number, details: ApiErrorDetails) {
    super(details.message);
    this.status = status;
    this.details = details;
  }

  /** Stripe's error envelope. */
  body(): { readonly error: ApiErrorDetails } {
    return { error: this.details };
  }
}

interface ApiErrorDetails {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
}

/** A request that is wrong in itself: 400. */
export function invalidRequest(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, {
    type: "invalid_request_error",
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });
}

/** An id that no object of the account has: 404 for one in the path, 400 for one in a parameter. */
export function missing(kind: string, id: string, param?: string): ApiError {
  return new ApiError(param === undefined ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}: '${id}'`,
    param: param ?? "id",
  });
}

const DECLINED = {
  generic_decline: "Your card was declined.",
  insufficient_funds: "Your card has insufficient funds.",
} as const;

/** A declined card: 402. */
export function cardDeclined(reason: keyof typeof DECLINED = "generic_decline"): ApiError {
  return new ApiError(402, {
    type: "card_error",
    code: "card_declined",
    decline_code: reason,
    message: DECLINED[reason],
  });
}
