import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Payments, ProviderSubscription } from "./index.ts";
import { aPrice, openCheckout } from "./tests/requests.ts";

/** A processor under test, and the one thing the adapter leaves to people: paying on the hosted page. */
export interface ProcessorUnderTest {
  readonly payments: Payments;
  pay(url: string, payer?: { readonly email: string; readonly name?: string }): Promise<Response>;
  close(): Promise<void>;
}

/** What the adapter does with any server that speaks Stripe's API and keeps state. */
export function describePayments(name: string, start: () => Promise<ProcessorUnderTest>): void {
  describe(`payments on ${name}`, () => {
    let processor: ProcessorUnderTest;
    let payments: Payments;

    beforeAll(async () => {
      processor = await start();
      payments = processor.payments;
    });

    afterAll(() => processor.close());

    async function subscribe(price = aPrice()): Promise<ProviderSubscription> {
      const { url, providerSessionId } = await openCheckout(payments, price);
      await processor.pay(url);
      const { subscriptionId } = await payments.readCheckoutSession(providerSessionId, null);
      return payments.readSubscription(subscriptionId ?? "", null);
    }

    it("makes a product and a price once, however many ask at the same time", async () => {
      const price = aPrice();

      const made = await Promise.all(Array.from({ length: 8 }, () => payments.ensurePrice(price)));
      const later = await payments.ensurePrice({ ...price, tierName: "Renamed since" });

      expect(new Set([...made, later].map((ids) => JSON.stringify(ids))).size).toBe(1);
    });

    it("keeps the prices of one tier apart under one product, also after the tier was renamed", async () => {
      const monthly = aPrice();
      const yearly = aPrice({ tierId: monthly.tierId, tierName: "Cover", interval: "Year", amount: 49_000 });

      const first = await payments.ensurePrice(monthly);
      const second = await payments.ensurePrice(yearly);

      expect(second.providerProductId).toBe(first.providerProductId);
      expect(second.providerPriceId).not.toBe(first.providerPriceId);
    });

    it("opens a session that is found by its id, with what it was given", async () => {
      const price = aPrice();

      const started = await openCheckout(payments, price, {
        clientReferenceId: "chk_reference",
        email: "owner@harbour.example",
        metadata: { campaign: "spring" },
      });

      const session = await payments.readCheckoutSession(started.providerSessionId, null);
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
      const price = aPrice();

      const first = await openCheckout(payments, price, {
        clientReferenceId: "one",
        idempotencyKey: price.tierId,
      });
      const again = await openCheckout(payments, price, {
        clientReferenceId: "one",
        idempotencyKey: price.tierId,
      });
      const other = openCheckout(payments, price, { clientReferenceId: "two", idempotencyKey: price.tierId });

      expect(again).toEqual(first);
      await expect(other).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
    });

    it("gives a paid subscription with its customer, period, price and what was charged", async () => {
      const price = aPrice({ interval: "Week", intervalCount: 2, amount: 1250, currency: "jpy" });

      const subscription = await subscribe(price);

      const { providerPriceId } = await payments.ensurePrice(price);
      expect(subscription).toMatchObject({
        status: "Active",
        email: "ads@harbour.example",
        name: "Harbour Coffee",
        paidAmount: 1250,
        providerPriceId,
        cancelAtPeriodEnd: false,
        cancelAt: null,
        canceledAt: null,
        cancellationReason: null,
        metadata: { workspaceId: price.workspaceId, tierPriceId: price.tierPriceId },
      });
      const { currentPeriodStart, currentPeriodEnd } = subscription;
      expect((currentPeriodEnd ?? 0) - (currentPeriodStart ?? 0)).toBe(14 * 86_400_000);
    });

    it("starts a free subscription that charged nothing", async () => {
      const subscription = await subscribe(aPrice({ amount: 0 }));

      expect(subscription).toMatchObject({ status: "Active", paidAmount: 0 });
    });

    it("pauses and resumes collection", async () => {
      const { id } = await subscribe();

      const paused = await payments.pauseSubscription(id, { account: null, idempotencyKey: `pause-${id}` });
      const readPaused = await payments.readSubscription(id, null);
      const resumed = await payments.resumeSubscription(id, {
        account: null,
        idempotencyKey: `resume-${id}`,
      });

      expect(paused.status).toBe("Paused");
      expect(readPaused).toEqual(paused);
      expect(resumed.status).toBe("Active");
    });

    it("cancels at the end of the period and keeps the subscription going until then", async () => {
      const { id, currentPeriodEnd } = await subscribe();

      const canceling = await payments.cancelSubscription(id, {
        account: null,
        atPeriodEnd: true,
        comment: "Season is over",
        idempotencyKey: `cancel-${id}`,
      });

      expect(canceling).toMatchObject({
        status: "Active",
        cancelAtPeriodEnd: true,
        cancelAt: currentPeriodEnd,
        canceledAt: expect.any(Number),
        cancellationReason: "cancellation_requested",
        cancellationComment: "Season is over",
      });
    });

    it("cancels at once, and once more to the same effect", async () => {
      const { id } = await subscribe();
      const now = { account: null, atPeriodEnd: false, idempotencyKey: `cancel-${id}` };

      const canceled = await payments.cancelSubscription(id, now);
      const again = await payments.cancelSubscription(id, now);

      expect(canceled).toMatchObject({ status: "Canceled", canceledAt: expect.any(Number) });
      expect(again).toEqual(canceled);
    });

    it("shows a canceled subscription as canceled, also when its collection was paused", async () => {
      const { id } = await subscribe();
      await payments.pauseSubscription(id, { account: null, idempotencyKey: `pause-${id}` });

      const canceled = await payments.cancelSubscription(id, {
        account: null,
        atPeriodEnd: false,
        idempotencyKey: `end-${id}`,
      });

      expect(canceled.status).toBe("Canceled");
    });

    it("links to the customer's own page", async () => {
      const { customerId } = await subscribe();

      const link = await payments.portalLink({
        account: null,
        providerCustomerId: customerId,
        returnUrl: "http://127.0.0.1/account",
      });

      expect(URL.canParse(link)).toBe(true);
    });

    it("answers NOT_FOUND for ids that do not exist, whatever they look like", async () => {
      for (const id of ["sub_missing", "sub_../../prices", "sub_%00", "ünïcode"]) {
        await expect(payments.readSubscription(id, null)).rejects.toMatchObject({ code: "NOT_FOUND" });
        await expect(payments.readCheckoutSession(id, null)).rejects.toMatchObject({ code: "NOT_FOUND" });
        await expect(
          payments.cancelSubscription(id, { account: null, atPeriodEnd: false, idempotencyKey: "missing" }),
        ).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
    });
  });
}
