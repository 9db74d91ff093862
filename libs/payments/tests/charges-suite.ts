import { expect, it } from "vitest";
import { aPrice, aWrite } from "./requests.ts";
import { invoicesOf, outcomesOf, type ProcessorUnderTest, subscribe } from "./sales.ts";

const DAY_MS = 86_400_000;
const BROKE = { email: "broke@harbour.example", card: "0341" } as const;

/** Charges that fail, what is owed then, and periods that begin with a charge. */
export function describeCharges(processor: () => ProcessorUnderTest): void {
  async function aFailedRenewal() {
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }), {}, BROKE);
    await processor().advance(8);
    const { payments } = processor();
    return { bought, late: await payments.readSubscription(bought.id, null) };
  }

  it("keeps the moment and the period of a stop that is written again, with another reason", async () => {
    const { payments } = processor();
    const { bought, late } = await aFailedRenewal();
    const at = late.owed?.failedAt ?? 0;
    const paused = await payments.stopSubscription(bought.id, {
      ...aWrite(),
      reason: "paused",
      at: at + DAY_MS,
    });

    const unpaid = await payments.stopSubscription(bought.id, {
      ...aWrite(),
      reason: "unpaid",
      at: at + 5 * DAY_MS,
    });

    expect(paused).toMatchObject({
      status: "Paused",
      currentPeriodStart: late.currentPeriodStart,
      stop: { reason: "paused", at: at + DAY_MS, bill: "collected" },
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
    const [newest] = await invoicesOf(processor(), bought.id);
    const at = late.owed?.failedAt ?? 0;
    await payments.stopSubscription(bought.id, { ...aWrite(), reason: "unpaid", at });

    await payOnPage(newest?.hostedUrl ?? "");
    const paid = await payments.readSubscription(bought.id, null);

    expect(paid).toMatchObject({
      status: "PastDue",
      currentPeriodStart: late.currentPeriodStart,
      paidAmount: 4900,
      periodInvoiceId: newest?.id,
      stop: { reason: "unpaid", at, bill: "paid" },
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

    const open = await payments.collectInvoice(id, { ...aWrite(), isCollected: false });
    await advance(20);
    const read = await payments.readSubscription(bought.id, null);
    const declined = await payments.payInvoice(id, aWrite());
    const collected = await payments.collectInvoice(id, { ...aWrite(), isCollected: true });

    expect(open).toMatchObject({ status: "open", isCollected: false, isRenewal: true });
    expect(read.owed).toEqual(late.owed);
    expect(declined).toMatchObject({ status: "open", isCollected: false });
    expect(collected).toMatchObject({ status: "open", isCollected: true });
  });

  it("voids an open invoice and a draft, and neither a paid nor a void one, and is active by what is left", async () => {
    const { payments, advance } = processor();
    const { bought, late } = await aFailedRenewal();
    await advance(6);
    const [draft, open, first] = await invoicesOf(processor(), bought.id);

    const voided = [draft, open, first, open].map((one) => payments.voidInvoice(one?.id ?? "", aWrite()));

    expect(draft?.status).toBe("draft");
    expect(open?.id).toBe(late.owed?.invoiceId);
    expect((await Promise.all(voided)).map(({ status }) => status)).toEqual(["void", "void", "paid", "void"]);
    expect((await payments.readSubscription(bought.id, null)).status).toBe("Active");
  });

  it("begins a new period in place of one that was voided, and charges it then", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
    await payments.holdSubscription(bought.id, aWrite());
    await advance(10);
    const held = await payments.readSubscription(bought.id, null);

    const started = await payments.startSubscription(bought.id, { ...aWrite(), trialEnd: null, seen: held });
    const again = payments.startSubscription(bought.id, { ...aWrite(), trialEnd: null, seen: held });
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
    expect(await outcomesOf(processor(), bought.id)).toEqual([
      "paid 4900",
      "void 0",
      "paid 4900",
      "paid 4900",
    ]);
  });

  it("leaves a subscription past due, without grace, when the period that begins is not paid", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }), {}, BROKE);
    await payments.holdSubscription(bought.id, aWrite());
    await advance(10);
    const seen = await payments.readSubscription(bought.id, null);

    const started = await payments.startSubscription(bought.id, { ...aWrite(), trialEnd: null, seen });

    expect(started).toMatchObject({ status: "PastDue", renewalFailedAt: null });
    expect(started.owed?.failedAt).toBe(started.currentPeriodStart);
  });
}
