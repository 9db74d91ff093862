import { expect, it } from "vitest";
import { sellsPeriod } from "../index.ts";
import { changePrice } from "./purchase.ts";
import { aPrice, aWrite } from "./requests.ts";
import { invoicesOf, type ProcessorUnderTest, subscribe } from "./sales.ts";

const DAY_MS = 86_400_000;
const BROKE = { email: "broke@harbour.example", card: "0341" } as const;

/** Changes of a subscription's price at the processor, whose invoices sell no period. */
export function describeChanges(processor: () => ProcessorUnderTest): void {
  it("says nothing of the period by the invoice of a change, whether it is declined, voided or paid", async () => {
    const { payments, stripe, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }), {}, BROKE);
    const { currentPeriodStart, currentPeriodEnd, paidAmount, periodInvoiceId } = bought;
    await advance(2);

    await changePrice(stripe, bought.id, 9800);
    const declined = await payments.readSubscription(bought.id, null);
    const [change] = await invoicesOf(processor(), bought.id);
    const { status } = await stripe.subscriptions.retrieve(bought.id);
    await payments.voidInvoice(change?.id ?? "", aWrite());
    const voided = await payments.readSubscription(bought.id, null);

    expect([status, change?.status]).toEqual(["past_due", "open"]);
    expect(change && sellsPeriod(change)).toBe(false);
    const period = { currentPeriodStart, currentPeriodEnd, paidAmount, periodInvoiceId, isPeriodVoid: false };
    const unstopped = { status: "Active", owed: null, renewalFailedAt: null, stop: null };
    expect(declined).toMatchObject({ ...unstopped, ...period, latestInvoiceId: change?.id });
    expect(voided).toMatchObject({ ...unstopped, ...period });
  });

  it("owes a renewal that fails beside the invoice of a change, and tells that it is one", async () => {
    const { payments, stripe, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }), {}, BROKE);
    await advance(2);
    await changePrice(stripe, bought.id, 9800);

    await advance(5);
    const draft = await payments.readSubscription(bought.id, null);
    await advance(1);
    const failed = await payments.readSubscription(bought.id, null);

    expect(draft).toMatchObject({ status: "Active", paidAmount: null, owed: null });
    const [renewal] = await invoicesOf(processor(), bought.id);
    expect(failed).toMatchObject({
      status: "PastDue",
      currentPeriodStart: bought.currentPeriodEnd,
      owed: { invoiceId: renewal?.id },
      renewalFailedAt: renewal?.failedAt,
    });
  });

  it("pays 0 for a period by a credit above its price, which a stop and its end keep", async () => {
    const { payments, stripe, advance } = processor();
    const { id } = await subscribe(processor(), aPrice({ interval: "Week" }));
    await changePrice(stripe, id, 100, "with renewal");
    await advance(8);
    const [renewal] = await invoicesOf(processor(), id);

    const renewed = await payments.readSubscription(id, null);
    const at = (renewed.currentPeriodStart ?? 0) + DAY_MS;
    const end = renewed.currentPeriodEnd ?? 0;
    const stopped = await payments.stopSubscription(id, { ...aWrite(), reason: "paused", at });
    const continued = await payments.continueSubscription(id, { ...aWrite(), periodEnd: end + DAY_MS });

    expect(renewal?.total).toBeLessThan(0);
    expect(renewed).toMatchObject({ status: "Active", paidAmount: 0, periodInvoiceId: renewal?.id });
    expect(stopped).toMatchObject({ status: "Paused", paidAmount: 0, stop: { at, bill: "paid" } });
    expect(continued).toMatchObject({ status: "Active", paidAmount: 0, currentPeriodEnd: end + DAY_MS });
  });

  it("reads a stop that an earlier release wrote with a negative payment", async () => {
    const { payments, stripe } = processor();
    const bought = await subscribe(processor());
    const at = (bought.currentPeriodStart ?? 0) + 1000;
    await payments.stopSubscription(bought.id, { ...aWrite(), reason: "paused", at });
    const { metadata } = await stripe.subscriptions.retrieve(bought.id);
    const period = metadata.period?.replace(/4900$/, "-500") ?? "";

    await stripe.subscriptions.update(bought.id, { metadata: { period } });
    const read = await payments.readSubscription(bought.id, null);

    expect(period).toContain(" -500");
    expect(read).toMatchObject({ status: "Paused", paidAmount: 0, stop: { at, bill: "paid" } });
  });
}
