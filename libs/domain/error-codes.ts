interface ErrorRule {
  readonly status: number;
  /** Whether the contract declares this code, so that a typed client knows its shape. */
  readonly defined: boolean;
  readonly message: string;
}

/** Every code of a failed request. 400, 408, 414 and 431 are for requests that never reach a route. */
export const ERRORS = {
  BAD_REQUEST: { status: 400, defined: false, message: "The request could not be understood." },
  UNAUTHORIZED: { status: 401, defined: true, message: "A valid API key or session is required." },
  FORBIDDEN: { status: 403, defined: true, message: "This is not allowed with these credentials." },
  NOT_FOUND: { status: 404, defined: true, message: "Not found." },
  METHOD_NOT_ALLOWED: { status: 405, defined: false, message: "This path does not support this method." },
  REQUEST_TIMEOUT: { status: 408, defined: false, message: "The request took too long to arrive." },
  CONFLICT_FIELD: { status: 409, defined: true, message: "CONFLICT_FIELD" },
  PRECONDITION_FAILED: {
    status: 412,
    defined: false,
    message: "This has changed since you looked at it. Look again before you change it.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, defined: false, message: "The request body is too large." },
  URI_TOO_LONG: { status: 414, defined: false, message: "The address is too long." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, defined: false, message: "The body has to be application/json." },
  INPUT_VALIDATION_FAILED: { status: 422, defined: true, message: "INPUT_VALIDATION_FAILED" },
  TOO_MANY_REQUESTS: { status: 429, defined: true, message: "Too many requests. Try again later." },
  HEADERS_TOO_LARGE: { status: 431, defined: false, message: "The request headers are too large." },
  INTERNAL_SERVER_ERROR: { status: 500, defined: false, message: "Something went wrong on our side." },
  PAYMENT_PROCESSOR_FAILED: {
    status: 502,
    defined: false,
    message: "The payment processor did not answer. It may have made the change all the same. Try again.",
  },
  SERVICE_UNAVAILABLE: { status: 503, defined: false, message: "Not available right now. Try again soon." },
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof ERRORS;
