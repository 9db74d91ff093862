import type { PriceRequest, ProviderSubscription } from "../index.ts";
import type { ProcessorUnderTest } from "../payments-suite.ts";
import { aPrice, openCheckout } from "./requests.ts";
import type { Payer } from "./running-sandbox.ts";

/** Buys a price on the hosted page; the subscription as it is then. */
export async function subscribe(
  { payments, pay }: ProcessorUnderTest,
  price: PriceRequest = aPrice(),
  changes: Parameters<typeof openCheckout>[2] = {},
  payer?: Payer,
): Promise<ProviderSubscription> {
  const { url, providerSessionId } = await openCheckout(payments, price, changes);
  const paid = await pay(url, payer);
  if (!paid.ok) throw new Error(`paying answered ${paid.status}: ${await paid.text()}`);
  const { subscriptionId } = await payments.readCheckoutSession(providerSessionId, price.account);
  return await payments.readSubscription(subscriptionId ?? "", price.account);
}

/** Makes a connected account and answers all that it is asked. */
export async function aReadyAccount({ payments, setUp }: ProcessorUnderTest): Promise<string> {
  const { accountId } = await payments.createAccount({
    workspaceId: "ws_of_the_account",
    idempotencyKey: crypto.randomUUID(),
  });
  const link = await payments.onboardingLink(accountId, {
    refreshUrl: "http://127.0.0.1/again",
    returnUrl: "http://127.0.0.1/done",
  });
  const answered = await setUp(link);
  if (!answered.ok) throw new Error(`the onboarding answered ${answered.status}`);
  return accountId;
}

/** Everything in a list that goes on. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}
