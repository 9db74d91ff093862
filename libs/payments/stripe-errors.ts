import { Stripe } from "stripe";
import { PaymentsError } from "./errors.ts";

/** Runs calls to Stripe; whatever the SDK throws comes out as a `PaymentsError`. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toPaymentsError(error);
  }
}

/** Walks a list page by page, in our words; leaves out what `read` gives null for. Throws as `callStripe` does. */
export async function* eachOf<T, R>(
  list: () => AsyncIterable<T>,
  read: (object: T) => R | null,
): AsyncGenerator<R, void, undefined> {
  try {
    for await (const object of list()) {
      const ours = read(object);
      if (ours !== null) yield ours;
    }
  } catch (error) {
    throw toPaymentsError(error);
  }
}

/** Whether Stripe refused a write because an object with that id exists by now. */
export function alreadyExists(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "resource_already_exists";
}

/** Whether Stripe knows no object with the id that the call was about. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

/** Whether Stripe found the call to be wrong for the state that the object is in. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
}

/** Whether Stripe says that an account does not exist, or not for us. */
export function isForeignAccount(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "account_invalid";
}

/** The SDK's own messages may quote what was sent, so ours are made of codes and of the request id. */
function toPaymentsError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  if (error instanceof Stripe.errors.StripeConnectionError) {
    return new PaymentsError("PROCESSOR_FAILED", "The payment processor could not be reached in time.", true);
  }
  const facts = [error.statusCode, error.code, error.param, error.requestId].filter((fact) => fact != null);
  const reason = facts.length > 0 ? ` (${facts.join(", ")})` : "";
  if (isMissing(error)) {
    return new PaymentsError("NOT_FOUND", `The payment processor does not know the object${reason}.`);
  }
  const status = error.statusCode ?? 0;
  const canRetry = status === 409 || status === 429 || status >= 500;
  return new PaymentsError("PROCESSOR_FAILED", `The payment processor refused the call${reason}.`, canRetry);
}
