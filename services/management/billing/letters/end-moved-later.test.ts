import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { formats } from "../../mail/formats.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAY_HOURS, DAY_MS, paidAds, WITHIN } from "../../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import type { Publisher } from "../../tests/story.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);

/** Sets a fixed end `days` from now at the processor, and waits until it is recorded here. */
async function endIn(days: number, publisher: Publisher, bought: Bought): Promise<Date> {
  const end = Math.floor((clock.now() + days * DAY_MS) / 1000);
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at: end });
  await vi.waitFor(async () => {
    const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
    expect(Date.parse(subscription.cancelAt ?? "")).toBe(end * 1000);
  }, WITHIN);
  await ads.jobsDone();
  return new Date(end * 1000);
}

it("tells a buyer who was told of no other charge that the end comes later, after some", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at_period_end: true });
  expect(await ads.letter(bought.email, "is canceled")).toContain("You won't be charged for another period.");

  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at_period_end: false });
  const later = await endIn(30, publisher, bought);

  expect(await ads.letter(bought.email, "ends on")).toContain(formats.day(later));
});

it("names the end that a pause has moved in the letter of the resumption", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await endIn(10, publisher, bought);
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.act(publisher, bought, "pause");
  await clock.passes(service, 4 * DAY_HOURS);

  await ads.act(publisher, bought, "resume");
  await ads.jobsDone();

  const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
  const day = formats.day(new Date(subscription.cancelAt ?? ""));
  expect(await ads.letter(bought.email, "live again")).toContain(day);
  const subjects = (await mailsTo(service, bought.email)).map((mail) => mail.subject);
  expect(subjects.filter((subject) => subject.includes("ends on"))).toHaveLength(1);
});

it("names the end that a payment has moved in the letter of the payment alone", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  await endIn(23, publisher, bought);
  await clock.passes(service, 4 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  const told = async (to: string) => (await mailsTo(service, to)).map(({ subject }) => subject);
  const before = [await told(bought.email), await told(publisher.person.email)];

  await ads.payOpenInvoice(publisher, bought, CARDS.sound);
  await ads.changeCard(publisher, bought);
  await becomes(publisher, bought, "Active");
  await ads.jobsDone();

  const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
  const day = formats.day(new Date(subscription.cancelAt ?? ""));
  expect(await ads.letter(bought.email, "went through")).toContain(day);
  const after = [await told(bought.email), await told(publisher.person.email)];
  expect(after.map((subjects, n) => subjects.length - (before[n]?.length ?? 0))).toEqual([1, 0]);
});
