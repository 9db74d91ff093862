import type { ErrorCode } from "#libs/domain/error-codes.ts";
import type { ConflictReason, InputReason } from "#libs/domain/error-reasons.ts";
import { type FieldErrorCode, type FieldProblems, HttpError } from "./envelope.ts";

const NO_PROBLEMS: FieldProblems = { formErrors: [], fieldErrors: {} };

/** The codes that need nothing more than a sentence. */
type PlainErrorCode = Exclude<
  ErrorCode,
  FieldErrorCode | "METHOD_NOT_ALLOWED" | "TOO_MANY_REQUESTS" | "SERVICE_UNAVAILABLE"
>;

/** A failure with the code's own sentence, or with `message` in its place. */
export function httpError(code: PlainErrorCode, message?: string, options?: ErrorOptions): HttpError {
  return new HttpError(code, message, undefined, options);
}

/** 404 with a sentence that names the missing thing: `notFound("Ad")` says "Ad not found.". */
export function notFound(what?: string): HttpError {
  return new HttpError("NOT_FOUND", what === undefined ? undefined : `${what} not found.`);
}

/** 409: the request is sound, the state of the resource does not allow it. */
export function conflict(reason: ConflictReason, problems: Partial<FieldProblems>): HttpError {
  return new HttpError("CONFLICT_FIELD", undefined, { ...NO_PROBLEMS, ...problems, reason });
}

/** 422, with the input's problems. */
export function invalidInput(reason: InputReason, problems: Partial<FieldProblems>): HttpError {
  return new HttpError("INPUT_VALIDATION_FAILED", undefined, { ...NO_PROBLEMS, ...problems, reason });
}

/** 422 for a body that cannot be read, with the reason as a sentence. */
export function malformedBody(sentence: string): HttpError {
  return invalidInput("MALFORMED_BODY", { formErrors: [sentence] });
}

/** 405, with the methods of the path. */
export function methodNotAllowed(allowed: readonly string[]): HttpError {
  return new HttpError("METHOD_NOT_ALLOWED", undefined, undefined, {
    headers: { allow: allowed.join(", ") },
  });
}

/** 415 for a body in a coding other than `identity`, with the header that names what is accepted (RFC 9110, 12.5.3). */
export function unsupportedCoding(): HttpError {
  const message = "The body must be sent without a Content-Encoding.";
  return new HttpError("UNSUPPORTED_MEDIA_TYPE", message, undefined, {
    headers: { "accept-encoding": "identity" },
  });
}

/** 429, with the code's own sentence, or with `message` in its place; `retryAfterMs` is rounded up to whole seconds, at least one. */
export function tooManyRequests(retryAfterMs: number, message?: string): HttpError {
  return new HttpError("TOO_MANY_REQUESTS", message, undefined, { headers: retryAfter(retryAfterMs) });
}

/** 503; `retryAfterMs` is rounded up to whole seconds, at least one. The cause is logged, not sent. */
export function unavailable(retryAfterMs: number, options?: ErrorOptions): HttpError {
  return new HttpError("SERVICE_UNAVAILABLE", undefined, undefined, {
    ...options,
    headers: retryAfter(retryAfterMs),
  });
}

function retryAfter(milliseconds: number): Record<string, string> {
  return { "retry-after": String(Math.max(1, Math.ceil(milliseconds / 1000))) };
}
