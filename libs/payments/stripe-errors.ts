import { Stripe } from "stripe";
import { PaymentsError } from "./errors.ts";

/** Stripe's largest page. */
const PAGE_SIZE = 100;

/** Runs calls to Stripe; every exception becomes a `PaymentsError`. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toPaymentsError(error);
  }
}

/** Reads an object that Stripe has sent. Throws as `callStripe` does. */
function readAnswer<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw toPaymentsError(error);
  }
}

/** Reads each object of a list, page by page; skips those that `read` returns null for. Throws as `callStripe` does. */
export async function* eachOf<T extends { readonly id: string }, R>(
  list: (page: { readonly limit: number; readonly starting_after?: string }) => Promise<Stripe.ApiList<T>>,
  read: (object: T) => R | null,
): AsyncGenerator<R, void, undefined> {
  let page: Parameters<typeof list>[0] = { limit: PAGE_SIZE };
  for (;;) {
    const { data, has_more } = await callStripe(async () => answered("list", await list(page)));
    for (const object of data) {
      const ours = readAnswer(() => read(object));
      if (ours !== null) yield ours;
    }
    const last = data.at(-1);
    if (!has_more || last === undefined) return;
    page = { ...page, starting_after: last.id };
  }
}

/** Stripe's answer, if it is of the expected kind: the SDK accepts a gateway's error page in JSON as a success. */
export function answered<T extends { readonly object: string }>(kind: T["object"], answer: T): T {
  if (answer.object === kind) return answer;
  throw new PaymentsError("PROCESSOR_FAILED", `The payment processor's answer is not a ${kind}.`, true);
}

/** Whether Stripe has no object with the id of the call. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

/** Whether Stripe rejected the call as invalid, or as invalid for the object's state. */
export function isRefusal(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
}

/** Whether this is an earlier failure again: Stripe stores failures too, for a day, under the write's idempotency key. */
export function isRepeatedFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.headers?.["idempotent-replayed"] === "true";
}

/** The SDK's own messages may quote the request, so ours consist of codes and the request id. */
function toPaymentsError(error: unknown): PaymentsError {
  if (error instanceof PaymentsError) return error;
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return new PaymentsError("PROCESSOR_FAILED", "The payment processor could not be reached in time.", true);
  }
  // Otherwise only reading an answer throws, when it lacks a field that Stripe's description promises.
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new PaymentsError("PROCESSOR_FAILED", "The payment processor's answer cannot be read.");
  }
  const { statusCode, code, param, requestId } = error;
  const facts = [statusCode, code, param, requestId].filter((fact) => fact != null);
  const reason = facts.length > 0 ? ` (${facts.join(", ")})` : "";
  if (isMissing(error)) {
    return new PaymentsError("NOT_FOUND", `The payment processor has no such object${reason}.`);
  }
  // It does not exist, or gives us no access any more.
  if (code === "account_invalid") {
    return new PaymentsError("ACCOUNT_GONE", `The account gives us no access${reason}.`, false, true);
  }
  if (statusCode === undefined) {
    return new PaymentsError(
      "PROCESSOR_FAILED",
      `The payment processor's answer is not JSON${reason}.`,
      true,
    );
  }
  const canRetry = statusCode === 409 || statusCode === 429 || statusCode >= 500;
  return new PaymentsError(
    "PROCESSOR_FAILED",
    `The payment processor rejected the call${reason}.`,
    canRetry && !isRepeatedFailure(error),
    // 409: a call with the same idempotency key is in progress.
    statusCode < 500 && statusCode !== 409,
  );
}
