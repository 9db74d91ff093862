import { expect, it } from "vitest";
import { aPrice, aWrite } from "./requests.ts";
import { outcomesOf, type ProcessorUnderTest, subscribe } from "./sales.ts";

const DAY_MS = 86_400_000;

/** Periods whose time stands still and continues. */
export function describeStops(processor: () => ProcessorUnderTest): void {
  /** A week that was stopped as it began and then continued, so that it ends three days later. */
  async function aMovedWeek() {
    const { payments } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
    const end = bought.currentPeriodEnd ?? 0;
    await payments.stopSubscription(bought.id, { ...aWrite(), reason: "paused", at: end - 7 * DAY_MS });
    const moved = await payments.continueSubscription(bought.id, {
      ...aWrite(),
      periodEnd: end + 3 * DAY_MS,
    });
    return { bought, end, moved };
  }

  it("stops a paid period and continues it, with its price, across renewals that are voided", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor());
    const start = bought.currentPeriodStart ?? 0;
    const end = bought.currentPeriodEnd ?? 0;
    await advance(3);
    const at = start + 3 * DAY_MS;

    const stopped = await payments.stopSubscription(bought.id, { ...aWrite(), reason: "paused", at });
    await advance(70);
    const later = await payments.readSubscription(bought.id, null);
    const periodEnd = end + 70 * DAY_MS;
    const continued = await payments.continueSubscription(bought.id, { ...aWrite(), periodEnd });
    const read = await payments.readSubscription(bought.id, null);

    const period = { currentPeriodStart: start, currentPeriodEnd: end, paidAmount: 4900 };
    const stop = { reason: "paused", at, bill: "paid" };
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
    expect((await outcomesOf(processor(), bought.id)).filter((one) => one !== "paid 0")).toEqual([
      "paid 4900",
      "void 0",
      "void 0",
    ]);
  });

  it("renews a period that was moved at its end, and for its whole price", async () => {
    const { payments, advance } = processor();
    const { bought, end } = await aMovedWeek();

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
    const { bought, moved } = await aMovedWeek();

    const released = await payments.releaseSubscription(bought.id, aWrite());

    const { status, currentPeriodStart, currentPeriodEnd } = moved;
    expect(status).toBe("Active");
    expect(released).toMatchObject({ status, currentPeriodStart, currentPeriodEnd });
  });

  it("stops and continues a trial, which stays one", async () => {
    const { payments } = processor();
    const bought = await subscribe(processor(), aPrice(), { trialDays: 10 });
    const end = bought.currentPeriodEnd ?? 0;

    const at = end - 5 * DAY_MS;
    const stopped = await payments.stopSubscription(bought.id, { ...aWrite(), reason: "paused", at });
    const continued = await payments.continueSubscription(bought.id, {
      ...aWrite(),
      periodEnd: end + DAY_MS,
    });

    expect(stopped).toMatchObject({ status: "Paused", isTrialPeriod: true });
    expect(continued).toMatchObject({
      status: "Trialing",
      currentPeriodEnd: end + DAY_MS,
      trialEnd: end + DAY_MS,
      paidAmount: 0,
    });
  });

  it.each([-1, 0, 2, 9])(
    "moves an end that is fixed %i days behind the period's by as much as the period moves",
    async (behind) => {
      const { payments, stripe } = processor();
      const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
      const end = bought.currentPeriodEnd ?? 0;
      await stripe.subscriptions.update(bought.id, { cancel_at: (end + behind * DAY_MS) / 1000 });
      await payments.stopSubscription(bought.id, { ...aWrite(), reason: "paused", at: end - 5 * DAY_MS });

      const periodEnd = end + 4 * DAY_MS;
      const continued = await payments.continueSubscription(bought.id, { ...aWrite(), periodEnd });

      expect(continued.cancelAt).toBe(end + (behind + 4) * DAY_MS);
    },
  );

  it("moves a planned end with the period", async () => {
    const { payments, advance } = processor();
    const bought = await subscribe(processor(), aPrice({ interval: "Week" }));
    const end = bought.currentPeriodEnd ?? 0;
    await payments.cancelSubscription(bought.id, { ...aWrite(), atPeriodEnd: true });
    await payments.stopSubscription(bought.id, { ...aWrite(), reason: "paused", at: end - 5 * DAY_MS });

    const moved = await payments.continueSubscription(bought.id, {
      ...aWrite(),
      periodEnd: end + 2 * DAY_MS,
    });
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
      const { bought, end } = await aMovedWeek();
      await advance(days);
      const ended = await payments.cancelSubscription(bought.id, { ...aWrite(), atPeriodEnd: false });
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
    await payments.stopSubscription(id, { ...aWrite(), reason: "paused", at: currentPeriodStart ?? 0 });

    await stripe.subscriptions.update(id, { pause_collection: "" });

    const read = await payments.readSubscription(id, null);
    expect(read).toMatchObject({ status: "Paused", stop: { reason: "resumed" } });
  });
}
