import { expect, it, vi } from "vitest";
import { eligibility } from "#libs/contract/ad.ts";
import { startManagement } from "../tests/management.ts";
import { DAILY, DAY_HOURS, DAY_MS, paidAds } from "../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../tests/story.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);

async function eligibilityOf({ caller }: Publisher, { path }: { readonly path: string }) {
  return await caller.ok(eligibility, "GET", `${path}/eligibility`);
}

/** The end of the ad's serving window in the published snapshot. */
async function publishedEnd({ workspace }: Publisher, { id }: { readonly id: string }) {
  const snapshot = await service.placements.read(workspace.id);
  return snapshot?.ads.find((one) => one.id === id)?.servingUntil ?? null;
}

it("leaves an ad live for three days after a renewal has failed, and takes it off the air at that moment", async () => {
  const publisher = await aPublisher(service);
  const running = await ads.aRunningAd(publisher, CARDS.failing);

  await clock.passes(service, 31 * DAY_HOURS + 2);
  const { subscription } = await becomes(publisher, running, "PastDue");
  const inGrace = await eligibilityOf(publisher, running);
  const end = Date.parse(inGrace.graceEndsAt ?? "");

  expect(subscription.graceEndsAt).toBe(inGrace.graceEndsAt);
  expect(inGrace).toMatchObject({ eligible: true, reasons: [], servingUntil: inGrace.graceEndsAt });
  expect(end - clock.now()).toBeGreaterThan(DAY_MS);
  expect(end - clock.now()).toBeLessThanOrEqual(3 * DAY_MS);
  const published = end - clock.ahead();
  await vi.waitFor(async () => expect(await publishedEnd(publisher, running)).toBe(published), 10_000);

  await clock.passes(service, 3 * DAY_HOURS);
  const over = await eligibilityOf(publisher, running);
  expect(over).toMatchObject({
    eligible: false,
    reasons: [{ code: "SUBSCRIPTION_PAST_DUE" }],
    graceEndsAt: inGrace.graceEndsAt,
  });
  // Visitors do not wait for the end either: serving is on real time.
  await vi.waitFor(async () => {
    const offAir = await publishedEnd(publisher, running);
    expect(offAir).toBeLessThanOrEqual(Date.now());
    const { servingUntil } = await eligibilityOf(publisher, running);
    expect(Date.parse(servingUntil ?? "")).toBe(offAir);
  }, 10_000);
});

it("ends the grace of a daily price with the day that is unpaid, so that no second day is owed", async () => {
  const publisher = await aPublisher(service);
  const running = await ads.aRunningAd(publisher, CARDS.failing, DAILY);

  await clock.passes(service, DAY_HOURS + 2);
  const { subscription } = await becomes(publisher, running, "PastDue");
  const first = await eligibilityOf(publisher, running);
  await clock.passes(service, DAY_HOURS);
  const second = await eligibilityOf(publisher, running);
  await clock.passes(service, DAY_HOURS);
  const third = await eligibilityOf(publisher, running);

  const { currentPeriodEnd: graceEndsAt } = subscription;
  expect(first).toMatchObject({ eligible: true, graceEndsAt });
  expect(second).toMatchObject({ eligible: false, graceEndsAt });
  expect(third).toMatchObject({ eligible: false, graceEndsAt });
});

it("takes an ad off the air at once where the grace period is taken away, and a longer one does not put it back", async () => {
  const publisher = await aPublisher(service);
  const running = await ads.aRunningAd(publisher, CARDS.failing);
  await clock.passes(service, 31 * DAY_HOURS + 2);
  await becomes(publisher, running, "PastDue");
  const isLive = async () =>
    ((await publishedEnd(publisher, running)) ?? Number.POSITIVE_INFINITY) > Date.now();
  const follows = async (live: boolean) => {
    await vi.waitFor(async () => expect(await isLive()).toBe(live), { timeout: 10_000, interval: 20 });
    expect((await eligibilityOf(publisher, running)).eligible).toBe(live);
  };

  await follows(true);
  await ads.graceOf(publisher, 14);
  await follows(true);
  await ads.graceOf(publisher, 0);
  await follows(false);
  await ads.isStopped(running, "unpaid");
  await ads.graceOf(publisher, 14);
  await follows(false);
});

it("ends the grace as soon as the renewal is paid", async () => {
  const publisher = await aPublisher(service);
  const running = await ads.aRunningAd(publisher, CARDS.failing);
  await clock.passes(service, 31 * DAY_HOURS + 2);
  await becomes(publisher, running, "PastDue");

  await ads.payOpenInvoice(publisher, running);
  await becomes(publisher, running, "Active");

  expect(await eligibilityOf(publisher, running)).toMatchObject({
    eligible: true,
    servingUntil: null,
    graceEndsAt: null,
  });
});
