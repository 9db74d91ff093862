import { expect, it } from "vitest";
import { aPrice, openCheckout } from "./requests.ts";
import type { ProcessorUnderTest } from "./sales.ts";
import { subscribe } from "./sales.ts";

const DAY_MS = 86_400_000;

/** The hosted page and what comes of it. */
export function describeCheckouts(processor: () => ProcessorUnderTest): void {
  it("opens a session that is found by its id, with what it was given", async () => {
    const { payments } = processor();
    const price = aPrice();

    const started = await openCheckout(payments, price, {
      clientReferenceId: "chk_reference",
      email: "owner@harbour.example",
      metadata: { campaign: "spring" },
    });

    const session = await payments.readCheckoutSession(started.processorSessionId, null);
    expect(session).toMatchObject({
      status: "open",
      url: started.url,
      expiresAt: started.expiresAt,
      clientReferenceId: "chk_reference",
      email: "owner@harbour.example",
      subscriptionId: null,
      metadata: { workspaceId: price.workspaceId, tierPriceId: price.tierPriceId, campaign: "spring" },
    });
  });

  it("opens one session for one idempotency key, and refuses the key for another request", async () => {
    const { payments } = processor();
    const price = aPrice();
    const open = (clientReferenceId: string) =>
      openCheckout(payments, price, { clientReferenceId, idempotencyKey: price.tierId });

    const first = await open("one");
    const again = await open("one");
    const other = open("two");

    expect(again).toEqual(first);
    await expect(other).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
  });

  it("gives a paid subscription with its customer, period, price and what was charged", async () => {
    const { payments } = processor();
    const price = aPrice({ interval: "Week", intervalCount: 2, amount: 1250, currency: "jpy" });

    const subscription = await subscribe(processor(), price);

    const { processorPriceId } = await payments.ensurePrice(price);
    expect(subscription).toMatchObject({
      status: "Active",
      email: "ads@harbour.example",
      name: "Harbour Coffee",
      paidAmount: 1250,
      processorPriceId,
      cancelAtPeriodEnd: false,
      cancelAt: null,
      canceledAt: null,
      endedAt: null,
      cancellationReason: null,
      trialEnd: null,
      metadata: { workspaceId: price.workspaceId, tierPriceId: price.tierPriceId },
    });
    const { currentPeriodStart, currentPeriodEnd } = subscription;
    expect((currentPeriodEnd ?? 0) - (currentPeriodStart ?? 0)).toBe(14 * DAY_MS);
  });

  it("starts a free subscription that charged nothing", async () => {
    const subscription = await subscribe(processor(), aPrice({ amount: 0 }));

    expect(subscription).toMatchObject({ status: "Active", paidAmount: 0 });
  });

  it("charges nothing in a trial, and the price after it", async () => {
    const { payments, advance } = processor();

    const trying = await subscribe(processor(), aPrice(), { trialDays: 14 });
    await advance(15);
    const paying = await payments.readSubscription(trying.id, null);

    expect(trying).toMatchObject({
      status: "Trialing",
      paidAmount: 0,
      trialEnd: (trying.currentPeriodStart ?? 0) + 14 * DAY_MS,
    });
    expect(paying).toMatchObject({ status: "Active", paidAmount: 4900 });
  });

  it("says what was really charged after a promotion code, and the full price when it has ended", async () => {
    const { payments, createPromotionCode, advance } = processor();
    const code = await createPromotionCode(25);

    const payer = { email: "thrifty@harbour.example", promotionCode: code };
    const discounted = await subscribe(processor(), aPrice(), {}, payer);
    await advance(32);
    const renewed = await payments.readSubscription(discounted.id, null);

    expect(discounted.paidAmount).toBe(3675);
    expect(renewed.paidAmount).toBe(4900);
  });

  it("takes no promotion code where none are allowed", async () => {
    const { payments, createPromotionCode, pay } = processor();
    const code = await createPromotionCode(25);
    const { url } = await openCheckout(payments, aPrice(), { allowPromotionCodes: false });

    const answer = await pay(url, { email: "thrifty@harbour.example", promotionCode: code });

    expect(answer.ok).toBe(false);
  });

  it("finds the session in which a subscription was bought", async () => {
    const { payments, pay } = processor();
    const bought = await openCheckout(payments);
    await pay(bought.url);
    const { subscriptionId } = await payments.readCheckoutSession(bought.processorSessionId, null);
    await openCheckout(payments);

    const found = await payments.findCheckoutSession(subscriptionId ?? "", null);

    expect(found).toMatchObject({ id: bought.processorSessionId, status: "complete", subscriptionId });
  });

  it("expires a session that nobody pays", async () => {
    const { payments, advance } = processor();
    const { processorSessionId } = await openCheckout(payments);

    await advance(2);

    expect(await payments.readCheckoutSession(processorSessionId, null)).toMatchObject({
      status: "expired",
      url: null,
      subscriptionId: null,
    });
  });

  it("ends an open session on demand, and leaves a paid one as it is", async () => {
    const { payments, pay } = processor();
    const open = await openCheckout(payments);
    const bought = await openCheckout(payments);
    await pay(bought.url);

    const ended = await payments.expireCheckoutSession(open.processorSessionId, null);
    const again = await payments.expireCheckoutSession(open.processorSessionId, null);
    const paid = await payments.expireCheckoutSession(bought.processorSessionId, null);
    const payment = await pay(open.url);

    expect([ended.status, again.status, paid.status]).toEqual(["expired", "expired", "complete"]);
    expect(payment.ok).toBe(false);
  });

  it("links to the customer's own page", async () => {
    const { payments } = processor();
    const { customerId: processorCustomerId } = await subscribe(processor());

    const link = await payments.portalLink({
      account: null,
      processorCustomerId,
      returnUrl: "http://127.0.0.1/account",
    });

    expect(URL.canParse(link)).toBe(true);
  });
}
