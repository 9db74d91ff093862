import { expect, it } from "vitest";
import { aPrice } from "./requests.ts";
import { all, type ProcessorUnderTest, subscribe } from "./sales.ts";

const DAY_MS = 86_400_000;
const FAILS = { card: "0341" } as const;

/** Periods whose time stands still, continues or begins, and the invoices that are owed. */
export function describeStops(processor: () => ProcessorUnderTest): void {
  const write = () => ({ account: null, idempotencyKey: crypto.randomUUID() });

  async function aFailedRenewal() {
    const payer = { email: "broke@harbour.example", ...FAILS };
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }), {}, payer);
    await processor().advance(8);
    const { payments } = processor();
    return { bought, late: await payments.readSubscription(bought.id, null) };
  }

  async function invoicesOf(subscriptionId: string) {
    const { payments } = processor();
    const found = await all(payments.listInvoices({ account: null, since: 0, subscriptionId }));
    return found.toReversed().map(({ status, amountPaid }) => `${status} ${amountPaid}`);
  }

  it("stops a paid period and continues it, with its price, across renewals that are voided", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor());
    const start = bought.currentPeriodStart ?? 0;
    const end = bought.currentPeriodEnd ?? 0;
    await advance(3);
    const at = start + 3 * DAY_MS;

    const stopped = await payments.stopSubscription(bought.id, { ...write(), reason: "paused", at });
    await advance(70);
    const later = await payments.readSubscription(bought.id, null);
    const periodEnd = end + 70 * DAY_MS;
    const continued = await payments.continueSubscription(bought.id, { ...write(), periodEnd });
    const read = await payments.readSubscription(bought.id, null);

    const period = { currentPeriodStart: start, currentPeriodEnd: end, paidAmount: 4900 };
    const stop = { reason: "paused", at, bill: "paid", paidAt: expect.any(Number) };
    expect(stopped).toMatchObject({ status: "Paused", ...period, stop });
    expect(later).toMatchObject({ status: "Paused", ...period, stop, isPeriodVoid: false });
    expect(continued).toMatchObject({
      status: "Active",
      currentPeriodStart: start + 70 * DAY_MS,
      currentPeriodEnd: periodEnd,
      paidAmount: 4900,
      trialEnd: null,
      stop: null,
      periodInvoiceId: bought.periodInvoiceId,
    });
    expect(read).toEqual(continued);
    expect((await invoicesOf(bought.id)).filter((one) => one !== "paid 0")).toEqual([
      "paid 4900",
      "void 0",
      "void 0",
    ]);
  });

  it("renews a period that was moved at its end, and for its whole price", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
    const end = bought.currentPeriodEnd ?? 0;
    await payments.stopSubscription(bought.id, { ...write(), reason: "paused", at: end - 7 * DAY_MS });
    await payments.continueSubscription(bought.id, { ...write(), periodEnd: end + 3 * DAY_MS });

    await advance(9);
    const before = await payments.readSubscription(bought.id, null);
    await advance(2);
    const after = await payments.readSubscription(bought.id, null);

    expect(before).toMatchObject({ status: "Active", currentPeriodEnd: end + 3 * DAY_MS });
    expect(after).toMatchObject({
      status: "Active",
      currentPeriodStart: end + 3 * DAY_MS,
      currentPeriodEnd: end + 10 * DAY_MS,
      paidAmount: 4900,
      trialEnd: null,
      isTrialPeriod: false,
    });
  });

  it("keeps a period that was moved when collection is released that somebody has paused", async () => {
    const { payments } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
    const end = bought.currentPeriodEnd ?? 0;
    await payments.stopSubscription(bought.id, { ...write(), reason: "paused", at: end - 7 * DAY_MS });
    const moved = await payments.continueSubscription(bought.id, { ...write(), periodEnd: end + 3 * DAY_MS });

    const released = await payments.releaseSubscription(bought.id, write());

    const { status, currentPeriodStart, currentPeriodEnd } = moved;
    expect(status).toBe("Active");
    expect(released).toMatchObject({ status, currentPeriodStart, currentPeriodEnd });
  });

  it("stops and continues a trial, which stays one", async () => {
    const { payments } = processor();
    const bought = await subscribe(processor(), aPrice(), { trialDays: 10 });
    const end = bought.currentPeriodEnd ?? 0;

    const at = end - 5 * DAY_MS;
    const stopped = await payments.stopSubscription(bought.id, { ...write(), reason: "paused", at });
    const continued = await payments.continueSubscription(bought.id, { ...write(), periodEnd: end + DAY_MS });

    expect(stopped).toMatchObject({ status: "Paused", isTrialPeriod: true });
    expect(continued).toMatchObject({
      status: "Trialing",
      currentPeriodEnd: end + DAY_MS,
      trialEnd: end + DAY_MS,
      paidAmount: 0,
    });
  });

  it("keeps the moment and the period of a stop that is written again, with another reason", async () => {
    const { payments } = processor();
    const { bought, late } = await aFailedRenewal();
    const at = late.owed?.failedAt ?? 0;
    const paused = await payments.stopSubscription(bought.id, {
      ...write(),
      reason: "paused",
      at: at + DAY_MS,
    });

    const unpaid = await payments.stopSubscription(bought.id, {
      ...write(),
      reason: "unpaid",
      at: at + 5 * DAY_MS,
    });

    expect(paused).toMatchObject({
      status: "Paused",
      currentPeriodStart: late.currentPeriodStart,
      stop: { reason: "paused", at: at + DAY_MS, bill: "collected", paidAt: null },
    });
    expect(unpaid).toMatchObject({
      status: "PastDue",
      currentPeriodStart: late.currentPeriodStart,
      stop: { reason: "unpaid", at: at + DAY_MS, bill: "collected" },
      renewalFailedAt: late.renewalFailedAt,
    });
  });

  it("says which charge has failed, and its period, while later ones fail too", async () => {
    const { payments, advance } = processor();
    const { bought, late } = await aFailedRenewal();

    await advance(7);
    const later = await payments.readSubscription(bought.id, null);

    expect(late).toMatchObject({
      status: "PastDue",
      currentPeriodStart: bought.currentPeriodEnd,
      paidAmount: null,
      owed: { failedAt: late.renewalFailedAt },
    });
    expect(later).toMatchObject({ owed: late.owed, currentPeriodStart: late.currentPeriodStart });
  });

  it("knows when a stopped charge was paid, and counts a payment of a later period for it", async () => {
    const { payments, advance, stripe } = processor();
    const { bought, late } = await aFailedRenewal();
    await advance(7);
    const [newest] = await all(payments.listInvoices({ account: null, since: 0, subscriptionId: bought.id }));
    const at = late.owed?.failedAt ?? 0;
    await payments.stopSubscription(bought.id, { ...write(), reason: "unpaid", at });

    await payOnPage(newest?.hostedUrl ?? "");
    const paid = await payments.readSubscription(bought.id, null);

    expect(paid).toMatchObject({
      status: "PastDue",
      currentPeriodStart: late.currentPeriodStart,
      paidAmount: 4900,
      periodInvoiceId: newest?.id,
      stop: { reason: "unpaid", at, bill: "paid", paidAt: expect.any(Number) },
    });
    expect((await stripe.subscriptions.retrieve(bought.id)).status).toBe("active");
  });

  async function payOnPage(url: string): Promise<void> {
    const body = JSON.stringify({ card: "4242" });
    const paid = await fetch(`${url}/pay`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    if (!paid.ok) throw new Error(`paying answered ${paid.status}: ${await paid.text()}`);
  }

  it("does not collect an invoice that is not to be collected, until it is asked again", async () => {
    const { payments, advance } = processor();
    const { bought, late } = await aFailedRenewal();
    const id = late.owed?.invoiceId ?? "";

    const open = await payments.collectInvoice(id, { ...write(), isCollected: false });
    await advance(20);
    const read = await payments.readSubscription(bought.id, null);
    const declined = await payments.payInvoice(id, write());
    const collected = await payments.collectInvoice(id, { ...write(), isCollected: true });

    expect(open).toMatchObject({ status: "open", isCollected: false, isRenewal: true });
    expect(read.owed).toEqual(late.owed);
    expect(declined).toMatchObject({ status: "open", isCollected: false });
    expect(collected).toMatchObject({ status: "open", isCollected: true });
  });

  it("voids an open invoice and a draft, and neither a paid nor a void one, and is active by what is left", async () => {
    const { payments, advance } = processor();
    const { bought, late } = await aFailedRenewal();
    await advance(6);
    const [draft, open, first] = await all(
      payments.listInvoices({ account: null, since: 0, subscriptionId: bought.id }),
    );

    const voided = [draft, open, first, open].map((one) => payments.voidInvoice(one?.id ?? "", write()));

    expect(draft?.status).toBe("draft");
    expect(open?.id).toBe(late.owed?.invoiceId);
    expect((await Promise.all(voided)).map(({ status }) => status)).toEqual(["void", "void", "paid", "void"]);
    expect((await payments.readSubscription(bought.id, null)).status).toBe("Active");
  });

  it("begins a new period in place of one that was voided, and charges it then", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
    await payments.holdSubscription(bought.id, write());
    await advance(10);
    const held = await payments.readSubscription(bought.id, null);

    const started = await payments.startSubscription(bought.id, { ...write(), trialEnd: null, seen: held });
    const again = payments.startSubscription(bought.id, { ...write(), trialEnd: null, seen: held });
    await expect(again).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: true });
    await advance(8);
    const renewed = await payments.readSubscription(bought.id, null);

    expect(held).toMatchObject({
      status: "Active",
      awaitsApproval: true,
      isPeriodVoid: true,
      paidAmount: null,
    });
    const began = started.currentPeriodStart ?? 0;
    expect(began - (bought.currentPeriodStart ?? 0)).toBeGreaterThanOrEqual(10 * DAY_MS);
    expect(started).toMatchObject({
      status: "Active",
      awaitsApproval: false,
      isPeriodVoid: false,
      paidAmount: 4900,
      currentPeriodEnd: began + 7 * DAY_MS,
    });
    expect(renewed).toMatchObject({ status: "Active", currentPeriodStart: began + 7 * DAY_MS });
    expect(await invoicesOf(bought.id)).toEqual(["paid 4900", "void 0", "paid 4900", "paid 4900"]);
  });

  it("leaves a subscription past due, without grace, when the period that begins is not paid", async () => {
    const { payments, advance } = processor();
    const payer = { email: "broke@harbour.example", ...FAILS };
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }), {}, payer);
    await payments.holdSubscription(bought.id, write());
    await advance(10);
    const seen = await payments.readSubscription(bought.id, null);

    const started = await payments.startSubscription(bought.id, { ...write(), trialEnd: null, seen });

    expect(started).toMatchObject({ status: "PastDue", renewalFailedAt: null });
    expect(started.owed?.failedAt).toBe(started.currentPeriodStart);
  });

  it("moves a planned end with the period", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
    const end = bought.currentPeriodEnd ?? 0;
    await payments.cancelSubscription(bought.id, { ...write(), atPeriodEnd: true });
    await payments.stopSubscription(bought.id, { ...write(), reason: "paused", at: end - 5 * DAY_MS });

    const moved = await payments.continueSubscription(bought.id, { ...write(), periodEnd: end + 2 * DAY_MS });
    await advance(8);
    const before = await payments.readSubscription(bought.id, null);
    await advance(2);
    const after = await payments.readSubscription(bought.id, null);

    expect(moved).toMatchObject({ cancelAtPeriodEnd: true, cancelAt: end + 2 * DAY_MS });
    expect(before.status).toBe("Active");
    expect(after).toMatchObject({ status: "Canceled", endedAt: end + 2 * DAY_MS });
  });

  it("keeps the period that was moved, with its price, when the subscription is ended in it", async () => {
    const { payments, advance } = processor();
    const moveAndRun = async (days: number) => {
      const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
      const end = bought.currentPeriodEnd ?? 0;
      await payments.stopSubscription(bought.id, { ...write(), reason: "paused", at: end - 7 * DAY_MS });
      await payments.continueSubscription(bought.id, { ...write(), periodEnd: end + 3 * DAY_MS });
      await advance(days);
      const ended = await payments.cancelSubscription(bought.id, { ...write(), atPeriodEnd: false });
      return { bought, end, ended };
    };

    const inIt = await moveAndRun(5);
    const afterIt = await moveAndRun(11);

    expect(inIt.ended).toMatchObject({
      status: "Canceled",
      currentPeriodStart: inIt.end - 4 * DAY_MS,
      currentPeriodEnd: inIt.end + 3 * DAY_MS,
      periodInvoiceId: inIt.bought.periodInvoiceId,
      paidAmount: 4900,
    });
    expect(afterIt.ended).toMatchObject({
      status: "Canceled",
      currentPeriodStart: afterIt.end + 3 * DAY_MS,
      currentPeriodEnd: afterIt.end + 10 * DAY_MS,
      paidAmount: 4900,
    });
  });

  it("sees that a stop was ended at the processor", async () => {
    const { payments, stripe } = processor();
    const { id, currentPeriodStart } = await subscribe(processor());
    await payments.stopSubscription(id, { ...write(), reason: "paused", at: currentPeriodStart ?? 0 });

    await stripe.subscriptions.update(id, { pause_collection: "" });

    const read = await payments.readSubscription(id, null);
    expect(read).toMatchObject({ status: "Paused", stop: { reason: "resumed" } });
  });
}
