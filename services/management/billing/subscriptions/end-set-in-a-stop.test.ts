import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAY_HOURS, DAY_MS, paidAds, WITHIN } from "../../tests/paid-ads.ts";
import { becomes, sandboxClock } from "../../tests/sandbox-clock.ts";
import type { Publisher } from "../../tests/story.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);

/** Sets a fixed end `days` from now at the processor, and returns it once it is recorded here. */
async function endIn(days: number, publisher: Publisher, bought: Bought): Promise<string> {
  const end = Math.floor((clock.now() + days * DAY_MS) / 1000);
  const id = await ads.subscriptionOf(bought);
  await service.processor.stripe.subscriptions.update(id, { cancel_at: end });
  const cancelAt = new Date(end * 1000).toISOString();
  await vi.waitFor(async () => expect(await plannedEnd(publisher, bought)).toBe(cancelAt), WITHIN);
  return cancelAt;
}

async function plannedEnd(publisher: Publisher, bought: Bought) {
  return (await publisher.caller.ok(ad, "GET", bought.path)).subscription.cancelAt;
}

/** Waits until the subscription has ended, and returns how many payments were made after `end`. */
async function paymentsAfter(end: string, publisher: Publisher, bought: Bought): Promise<number> {
  await clock.passes(service, 16 * DAY_HOURS);
  await becomes(publisher, bought, "Canceled");
  await ads.jobsDone();
  const paidAt = (await ads.invoicesOf(bought)).map((invoice) => invoice.status_transitions.paid_at ?? 0);
  return paidAt.filter((at) => at * 1000 > Date.parse(end)).length;
}

it("keeps an end that is set at the processor in a pause, and charges nothing after it", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.act(publisher, bought, "pause");
  await clock.passes(service, 7 * DAY_HOURS);
  const end = await endIn(3, publisher, bought);
  await clock.passes(service, DAY_HOURS);

  await ads.act(publisher, bought, "resume");
  await ads.jobsDone();

  expect(await plannedEnd(publisher, bought)).toBe(end);
  expect(await paymentsAfter(end, publisher, bought)).toBe(0);
});

it("moves an end that was set before the pause by its length", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const end = await endIn(10, publisher, bought);
  await clock.passes(service, DAY_HOURS);
  await ads.act(publisher, bought, "pause");
  await clock.passes(service, 3 * DAY_HOURS);

  await ads.act(publisher, bought, "resume");
  await ads.jobsDone();

  const moved = Date.parse((await plannedEnd(publisher, bought)) ?? "");
  expect(Math.round((moved - Date.parse(end)) / DAY_MS)).toBe(3);
});

it("keeps an end that is set in a stop for want of payment", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  await clock.passes(service, 8 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  const end = await endIn(6.5, publisher, bought);

  await ads.payOpenInvoice(publisher, bought);
  await ads.changeCard(publisher, bought);
  await becomes(publisher, bought, "Active");
  await ads.jobsDone();

  expect(await plannedEnd(publisher, bought)).toBe(end);
  expect(await paymentsAfter(end, publisher, bought)).toBe(0);
});

it.each([13, 14, 15])(
  "moves a fixed end on day %i by a pause over the end of the first week",
  async (day) => {
    const { publisher, bought } = await ads.aWeeklyAd();
    const id = await ads.subscriptionOf(bought);
    const { items } = await service.processor.stripe.subscriptions.retrieve(id);
    const end = (items.data[0]?.current_period_end ?? 0) + ((day - 7) * DAY_MS) / 1000;
    await service.processor.stripe.subscriptions.update(id, { cancel_at: end });
    await ads.jobsDone();
    await clock.passes(service, 6 * DAY_HOURS);
    await ads.act(publisher, bought, "pause");
    await clock.passes(service, 2 * DAY_HOURS);

    await ads.act(publisher, bought, "resume");
    await ads.jobsDone();

    const moved = Date.parse((await plannedEnd(publisher, bought)) ?? "");
    expect(Math.round((moved - end * 1000) / DAY_MS)).toBe(2);
  },
);
