import { expect, it } from "vitest";
import { aPrice, aWrite } from "./requests.ts";
import { listWhole, type ProcessorUnderTest, subscribe } from "./sales.ts";

/** A subscription's life after it was bought. */
export function describeSubscriptions(processor: () => ProcessorUnderTest): void {
  it("holds renewals without a change of the status, and charges again once they are released", async () => {
    const { payments, advance, stripe } = processor();
    const { id } = await subscribe(processor());

    const held = await payments.holdSubscription(id, aWrite());
    await advance(65);
    const later = await payments.readSubscription(id, null);
    const voided = await stripe.invoices.list({ subscription: id, status: "void" });
    const released = await payments.releaseSubscription(id, aWrite());
    await advance(32);
    const paid = await stripe.invoices.list({ subscription: id, status: "paid" });

    expect(held).toMatchObject({ status: "Active", awaitsApproval: true });
    expect(later).toMatchObject({ status: "Active", awaitsApproval: true });
    expect(voided.data).toHaveLength(2);
    expect(released).toMatchObject({ status: "Active", awaitsApproval: false });
    expect(paid.data).toHaveLength(2);
  });

  it("tells a pause from what is held, and ends the one with the other", async () => {
    const { payments } = processor();
    const { id } = await subscribe(processor());
    await payments.holdSubscription(id, aWrite());

    const paused = await payments.stopSubscription(id, { ...aWrite(), reason: "paused", at: Date.now() });
    const resumed = await payments.releaseSubscription(id, aWrite());

    expect(paused).toMatchObject({ status: "Paused", awaitsApproval: false });
    expect(resumed).toMatchObject({ status: "Active", awaitsApproval: false });
  });

  it("only keeps the card of a sale that is charged at approval, and charges the first period from its start", async () => {
    const { payments, advance } = processor();
    const sold = await subscribe(processor(), aPrice(), { chargeAt: "approval" });
    await advance(90);
    const waiting = await payments.readSubscription(sold.id, null);

    const started = await payments.startSubscription(sold.id, { ...aWrite(), trialEnd: null, seen: sold });

    expect(sold).toMatchObject({
      status: "Trialing",
      chargeAt: "approval",
      awaitsApproval: true,
      paidAmount: 0,
    });
    expect(waiting).toEqual(sold);
    expect(started).toMatchObject({
      status: "Active",
      chargeAt: "approval",
      awaitsApproval: false,
      paidAmount: 4900,
    });
    const days = ((started.currentPeriodStart ?? 0) - (sold.currentPeriodStart ?? 0)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(started.trialEnd).toBe(started.currentPeriodStart);
  });

  it("leaves a subscription past due whose first charge fails at its start, without a failed renewal", async () => {
    const { payments } = processor();
    const payer = { email: "declined@harbour.example", card: "0341" };
    const sold = await subscribe(processor(), aPrice(), { chargeAt: "approval" }, payer);

    const started = await payments.startSubscription(sold.id, { ...aWrite(), trialEnd: null, seen: sold });

    expect(started).toMatchObject({ status: "PastDue", awaitsApproval: false, renewalFailedAt: null });
  });

  it("starts a sale that is charged at approval with a trial, and charges at its end", async () => {
    const { payments, advance, stripe } = processor();
    const sold = await subscribe(processor(), aPrice(), { chargeAt: "approval" });
    const { id } = sold;
    const { created } = await stripe.subscriptions.retrieve(id);
    const trialEnd = (created + 15 * 86_400) * 1000;

    const started = await payments.startSubscription(id, { ...aWrite(), trialEnd, seen: sold });
    await advance(16);
    const charged = await payments.readSubscription(id, null);

    expect(started).toMatchObject({
      status: "Trialing",
      awaitsApproval: false,
      trialEnd,
      currentPeriodEnd: trialEnd,
    });
    expect(charged).toMatchObject({ status: "Active", paidAmount: 4900, currentPeriodStart: trialEnd });
  });

  it("cancels at the end of the period and keeps the subscription going until then", async () => {
    const { payments, advance } = processor();
    const { id, currentPeriodEnd } = await subscribe(processor());
    const atPeriodEnd = () => ({ ...aWrite(), atPeriodEnd: true });

    const canceling = await payments.cancelSubscription(id, { ...atPeriodEnd(), comment: "Season is over" });
    await advance(32);
    const ended = await payments.readSubscription(id, null);
    const again = await payments.cancelSubscription(id, atPeriodEnd());

    expect(canceling).toMatchObject({
      status: "Active",
      cancelAtPeriodEnd: true,
      cancelAt: currentPeriodEnd,
      canceledAt: expect.any(Number),
      cancellationReason: "cancellation_requested",
      cancellationComment: "Season is over",
    });
    expect(ended.status).toBe("Canceled");
    expect(again).toEqual(ended);
  });

  it("cancels at once, and once more to the same effect", async () => {
    const { payments } = processor();
    const { id } = await subscribe(processor());
    const now = { ...aWrite(), atPeriodEnd: false, comment: "Not for us" };

    const canceled = await payments.cancelSubscription(id, now);
    const again = await payments.cancelSubscription(id, now);

    expect(canceled).toMatchObject({
      status: "Canceled",
      canceledAt: expect.any(Number),
      cancellationComment: "Not for us",
    });
    expect(again).toEqual(canceled);
  });

  it("shows a canceled subscription as canceled, also when its collection was paused", async () => {
    const { payments } = processor();
    const { id } = await subscribe(processor());
    await payments.stopSubscription(id, { ...aWrite(), reason: "paused", at: Date.now() });

    const canceled = await payments.cancelSubscription(id, { ...aWrite(), atPeriodEnd: false });

    expect(canceled.status).toBe("Canceled");
  });

  it("says when a renewal was not paid", async () => {
    const { payments, advance } = processor();
    const payer = { email: "broke@harbour.example", card: "0341" };
    const { id } = await subscribe(processor(), aPrice(), {}, payer);

    await advance(32);

    const late = await payments.readSubscription(id, null);
    expect(late).toMatchObject({ status: "PastDue", paidAmount: null });
  });

  it("says when the oldest unpaid renewal was first attempted, however many follow", async () => {
    const { payments, advance } = processor();
    const payer = { email: "daily@harbour.example", card: "0341" };
    const daily = aPrice({ interval: "Day", intervalCount: 1 });
    const { id, currentPeriodEnd } = await subscribe(processor(), daily, {}, payer);

    await advance(2);
    const first = await payments.readSubscription(id, null);
    await advance(4);
    const later = await payments.readSubscription(id, null);
    const listed = await listWhole(payments);

    const failedAt = first.renewalFailedAt ?? 0;
    expect(first.status).toBe("PastDue");
    expect(failedAt).toBeGreaterThanOrEqual(currentPeriodEnd ?? Number.POSITIVE_INFINITY);
    expect(failedAt).toBeLessThan((currentPeriodEnd ?? 0) + 24 * 3_600_000);
    expect(later.renewalFailedAt).toBe(failedAt);
    expect(listed.find((one) => one.id === id)).toEqual(later);
  });

  it("knows no failed renewal of a subscription that pays, nor of one that has never paid", async () => {
    const { payments, advance } = processor();
    const paying = await subscribe(processor());
    const payer = { email: "never@harbour.example", card: "0341" };
    const onTrial = await subscribe(processor(), aPrice(), { trialDays: 3 }, payer);

    await advance(5);

    expect(await payments.readSubscription(paying.id, null)).toMatchObject({
      status: "Active",
      renewalFailedAt: null,
    });
    expect(await payments.readSubscription(onTrial.id, null)).toMatchObject({
      status: "PastDue",
      renewalFailedAt: null,
    });
  });

  it("lists the subscriptions that have not ended, page by page, in their current state", async () => {
    const { payments } = processor();
    const price = aPrice();
    const first = await subscribe(processor(), price);
    const ended = await subscribe(processor(), price);
    await payments.cancelSubscription(ended.id, { ...aWrite(), atPeriodEnd: false });
    const last = await subscribe(processor(), price);
    await payments.stopSubscription(last.id, { ...aWrite(), reason: "paused", at: Date.now() });

    const listed = await listWhole(payments);

    const mine = listed.filter(({ id }) => [first.id, ended.id, last.id].includes(id));
    expect(mine.map(({ id, status }) => [id, status])).toEqual([
      [last.id, "Paused"],
      [first.id, "Active"],
    ]);
    expect(mine[1]).toEqual(await payments.readSubscription(first.id, null));
  });

  it("answers NOT_FOUND for ids that do not exist, whatever they look like", async () => {
    const { payments } = processor();

    for (const id of ["sub_missing", "sub_../../prices", "sub_%00", "ünïcode", ".."]) {
      const all = [
        payments.readSubscription(id, null),
        payments.readCheckoutSession(id, null),
        payments.readInvoice(id, null),
        payments.readCharge(id, null),
        payments.stopSubscription(id, { ...aWrite(), reason: "paused", at: Date.now() }),
        payments.releaseSubscription(id, aWrite()),
        payments.holdSubscription(id, aWrite()),
        payments.startSubscription(id, {
          ...aWrite(),
          trialEnd: null,
          seen: { latestInvoiceId: null, cancelAt: null },
        }),
        payments.cancelSubscription(id, { ...aWrite(), atPeriodEnd: false }),
        payments.cancelSubscription(id, { ...aWrite(), atPeriodEnd: true }),
      ];
      await Promise.all(all.map((asked) => expect(asked).rejects.toMatchObject({ code: "NOT_FOUND" })));
    }
  });
}
