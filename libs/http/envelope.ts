import { ERRORS, type ErrorCode } from "#libs/domain/error-codes.ts";
import type { ErrorReason } from "#libs/domain/error-reasons.ts";

/** The answer to every failed request, from any part of the service. */
export interface ErrorEnvelope {
  /** Whether the contract declares this code, so that a typed client knows its shape. */
  readonly defined: boolean;
  readonly code: ErrorCode;
  readonly status: number;
  /** Equals `code` for a conflict and for invalid input, a sentence elsewhere. */
  readonly message: string;
  readonly data: ErrorData;
}

/** The problems of an input: as a whole, and by dotted path (`initialPrices.0.amount`). */
export interface FieldProblems {
  readonly formErrors: readonly string[];
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /** What the resource's version is now, where a conflict is about another one. */
  readonly version?: number;
}

/** What a failure says beside its sentence: on a conflict and on invalid input the problems, and always the request's id. */
export type ErrorData = { readonly requestId: string } | ({ readonly requestId: string } & RefusedInput);

/** The problems of a conflict or of invalid input, and their cause for programs. */
export interface RefusedInput extends FieldProblems {
  readonly reason: ErrorReason;
}

/** The codes whose answer lists the problems of each field. */
export type FieldErrorCode = "CONFLICT_FIELD" | "INPUT_VALIDATION_FAILED";

/** A 401 has to name a way to authenticate (RFC 9110, 15.5.2). Browsers show no prompt of their own for this one. */
const CHALLENGE = { "www-authenticate": "Bearer" } as const;

export interface HttpErrorOptions extends ErrorOptions {
  /** Sent along with the answer; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A failure that is reported to the caller. The cause stays in the log. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: RefusedInput | undefined;

  constructor(code: ErrorCode, message?: string, data?: RefusedInput, options?: HttpErrorOptions) {
    const hasFields = code === "CONFLICT_FIELD" || code === "INPUT_VALIDATION_FAILED";
    super(hasFields ? code : (message ?? ERRORS[code].message), options);
    this.code = code;
    this.status = ERRORS[code].status;
    this.headers = { ...(code === "UNAUTHORIZED" ? CHALLENGE : {}), ...options?.headers };
    this.data = data;
  }

  /** The body of the answer to the request of that id. */
  envelope(requestId: string): ErrorEnvelope {
    const { code, status, message, data } = this;
    const { defined } = ERRORS[code];
    return { defined, code, status, message, data: { ...data, requestId } };
  }
}
