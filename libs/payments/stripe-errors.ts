import { Stripe } from "stripe";
import { PaymentsError } from "./errors.ts";

/** The most that Stripe gives at a time. */
const PAGE_SIZE = 100;

/** Runs calls to Stripe; whatever is thrown comes out as a `PaymentsError`. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toPaymentsError(error);
  }
}

/** Puts what Stripe has sent into our words. Throws as `callStripe` does. */
export function readAnswer<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw toPaymentsError(error);
  }
}

/**
 * Walks a list page by page, in our words; leaves out what `read` gives null for. `list` asks for the page that such
 * parameters begin. Throws as `callStripe` does.
 */
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

/** What Stripe answered, if it is what was asked for: the SDK takes a gateway's error page in JSON for a success. */
export function answered<T extends { readonly object: string }>(kind: T["object"], answer: T): T {
  if (answer.object === kind) return answer;
  throw new PaymentsError("PROCESSOR_FAILED", `The payment processor gave no ${kind} for an answer.`, true);
}

/** Whether Stripe knows no object with the id that the call was about. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

/** Whether Stripe found the call to be wrong in itself, or for the state that the object is in. */
export function isRefusal(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
}

/** Whether Stripe says that an account does not exist, or not for us. */
export function isForeignAccount(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "account_invalid";
}

/** Whether this is an earlier failure once more: Stripe keeps those too, for a day, under the write's idempotency key. */
export function isRepeatedFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.headers?.["idempotent-replayed"] === "true";
}

/** The SDK's own messages may quote what was sent, so ours are made of codes and of the request id. */
function toPaymentsError(error: unknown): PaymentsError {
  if (error instanceof PaymentsError) return error;
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return new PaymentsError("PROCESSOR_FAILED", "The payment processor could not be reached in time.", true);
  }
  // Nothing else throws in a call but the reading of an answer that lacks what Stripe's description promises.
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new PaymentsError("PROCESSOR_FAILED", "The payment processor's answer is not understood.");
  }
  const { statusCode, code, param, requestId } = error;
  const facts = [statusCode, code, param, requestId].filter((fact) => fact != null);
  const reason = facts.length > 0 ? ` (${facts.join(", ")})` : "";
  if (isMissing(error)) {
    return new PaymentsError("NOT_FOUND", `The payment processor does not know the object${reason}.`);
  }
  if (statusCode === undefined) {
    return new PaymentsError("PROCESSOR_FAILED", `The payment processor's answer is no JSON${reason}.`, true);
  }
  const canRetry = statusCode === 409 || statusCode === 429 || statusCode >= 500;
  return new PaymentsError(
    "PROCESSOR_FAILED",
    `The payment processor refused the call${reason}.`,
    canRetry && !isRepeatedFailure(error),
  );
}
