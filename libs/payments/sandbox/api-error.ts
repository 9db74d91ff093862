/** A refusal in Stripe's words; whoever answers a request turns it into status and body. */
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

export interface ApiErrorDetails {
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

/** No object with that id: 404 where the id is in the path, 400 where it is a parameter. */
export function missing(what: string, id: string, param?: string): ApiError {
  return new ApiError(param === undefined ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${what.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}: '${id}'`,
    param: param ?? "id",
  });
}

const DECLINED = {
  generic_decline: "Your card was declined.",
  insufficient_funds: "Your card has insufficient funds.",
} as const;

/** What a card that is declined is answered with: 402. */
export function cardDeclined(reason: keyof typeof DECLINED = "generic_decline"): ApiError {
  return new ApiError(402, {
    type: "card_error",
    code: "card_declined",
    decline_code: reason,
    message: DECLINED[reason],
  });
}
