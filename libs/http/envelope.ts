/** What every failed request answers with, whatever part of the service it failed in. */
export interface ErrorEnvelope {
  /** Whether the contract declares this code, so that a typed client knows its shape. */
  readonly defined: boolean;
  readonly code: ErrorCode;
  readonly status: number;
  /** Equals `code` for a conflict and for invalid input, a sentence elsewhere. */
  readonly message: string;
  readonly data?: FieldProblems;
}

/** What is wrong with an input: as a whole, and by dotted path (`initialPrices.0.amount`). */
export interface FieldProblems {
  readonly formErrors: readonly string[];
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

interface ErrorRule {
  readonly status: number;
  readonly defined: boolean;
  readonly message: string;
}

/** Every code that leaves the service. 400, 408, 414 and 431 are for requests that never reach a route. */
const RULES = {
  BAD_REQUEST: { status: 400, defined: false, message: "The request could not be understood." },
  UNAUTHORIZED: { status: 401, defined: true, message: "A valid API key or session is required." },
  FORBIDDEN: { status: 403, defined: true, message: "This is not allowed with these credentials." },
  NOT_FOUND: { status: 404, defined: true, message: "Not found." },
  METHOD_NOT_ALLOWED: { status: 405, defined: false, message: "This path does not answer to this method." },
  REQUEST_TIMEOUT: { status: 408, defined: false, message: "The request took too long to arrive." },
  CONFLICT_FIELD: { status: 409, defined: true, message: "CONFLICT_FIELD" },
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
    message: "The payment processor did not go along. Nothing was changed.",
  },
  SERVICE_UNAVAILABLE: { status: 503, defined: false, message: "Not available right now. Try again soon." },
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof RULES;
/** The codes whose answer says what is wrong with which field. */
export type FieldErrorCode = "CONFLICT_FIELD" | "INPUT_VALIDATION_FAILED";

const NO_PROBLEMS: FieldProblems = { formErrors: [], fieldErrors: {} };

export interface HttpErrorOptions extends ErrorOptions {
  /** Sent along with the answer; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A failure that the caller is told of. The cause stays in the log. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: FieldProblems | undefined;

  constructor(code: ErrorCode, message?: string, data?: Partial<FieldProblems>, options?: HttpErrorOptions) {
    const hasFields = code === "CONFLICT_FIELD" || code === "INPUT_VALIDATION_FAILED";
    super(hasFields ? code : (message ?? RULES[code].message), options);
    this.code = code;
    this.status = RULES[code].status;
    this.headers = options?.headers ?? {};
    this.data = hasFields ? { ...NO_PROBLEMS, ...data } : undefined;
  }

  /** The body of the answer. */
  envelope(): ErrorEnvelope {
    const { code, status, message, data } = this;
    const { defined } = RULES[code];
    return data === undefined ? { defined, code, status, message } : { defined, code, status, message, data };
  }
}
