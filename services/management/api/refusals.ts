import { ORPCError, ValidationError } from "@orpc/contract";
import type { FastifyReply } from "fastify";
import type { Logger } from "pino";
import { isDatabaseAway, isStatementTimeout } from "#libs/database/errors.ts";
import {
  asHttpError,
  HttpError,
  httpError,
  invalidInput,
  mapZodError,
  unavailable,
} from "#libs/http/index.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import { StatsStoreError } from "#libs/stats-store/index.ts";
import { UploadsError } from "#libs/uploads/index.ts";

const RETRY_AFTER_MS = 2_000;

/** Only where it is certain: a call without an answer may have been made. */
const REJECTED_BY_PROCESSOR = "The payment processor rejected the request. Nothing was changed.";

/**
 * What a handler threw, as the error that oRPC answers with. Failures of the parts behind us become theirs here, once;
 * whatever is not the caller's fault is logged.
 */
export function refuse(thrown: unknown, reply: FastifyReply, logger: Logger): ORPCError<string, unknown> {
  const error = translate(thrown);
  if (error.status >= 500) {
    const context = { reqId: reply.request.id, route: reply.request.routeOptions.url, err: thrown };
    if (error.code === "INTERNAL_SERVER_ERROR") logger.error(context, "request failed");
    else logger.warn(context, `request refused: ${error.code}`);
  }
  reply.headers(error.headers);
  const { code, status, message, data } = error.envelope(reply.request.id);
  return new ORPCError<string, unknown>(code, { status, message, data, cause: thrown });
}

/** What was thrown as the error that a caller sees. */
export function translate(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (
    thrown instanceof ORPCError &&
    thrown.code === "BAD_REQUEST" &&
    thrown.cause instanceof ValidationError
  ) {
    return invalidInput("INVALID_INPUT", mapZodError(thrown.cause));
  }
  if (thrown instanceof PaymentsError) {
    const message = thrown.isRefusal ? REJECTED_BY_PROCESSOR : undefined;
    return httpError("PAYMENT_PROCESSOR_FAILED", message, { cause: thrown });
  }
  if (thrown instanceof StatsStoreError || isDatabaseAway(thrown) || isStatementTimeout(thrown)) {
    return unavailable(RETRY_AFTER_MS, { cause: thrown });
  }
  if (thrown instanceof UploadsError && thrown.code === "TOO_LARGE") {
    return invalidInput("UPLOAD_TOO_LARGE", { fieldErrors: { contentLength: [thrown.message] } });
  }
  if (thrown instanceof UploadsError && thrown.code === "UNAVAILABLE") {
    return unavailable(thrown.retryAfterMs, { cause: thrown });
  }
  return asHttpError(thrown);
}
