import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { changePrice } from "#libs/payments/tests/purchase.ts";
import { startManagement } from "../../tests/management.ts";
import { DAY_HOURS, paidAds, WEEKLY } from "../../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher } from "../../tests/story.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);

it("leads to the renewal that is owed, not to an older bill of a dearer price that was declined", async () => {
  const publisher = await aPublisher(service);
  await ads.graceOf(publisher, 2);
  const bought = await ads.aRunningAd(publisher, CARDS.failing, WEEKLY);
  await clock.passes(service, 5 * DAY_HOURS);
  await changePrice(service.processor.stripe, await ads.subscriptionOf(bought), 14_000);
  await ads.jobsDone();
  await clock.passes(service, 2 * DAY_HOURS + 2);
  await becomes(publisher, bought, "PastDue");
  await ads.jobsDone();

  const pay = `${service.origin}/v1/checkout-sessions/${bought.sessionId}/billing/pay`;
  const page = (await fetch(pay, { redirect: "manual" })).headers.get("location") ?? "";

  const open = (await ads.invoicesOf(bought)).filter(({ status }) => status === "open");
  const renewal = open.find(({ billing_reason: reason }) => reason === "subscription_cycle");
  expect(open).toHaveLength(2);
  expect(page).toBe(renewal?.hosted_invoice_url);
  await publisher.caller.request("POST", `${new URL(page).pathname}/pay`, { card: CARDS.sound });
  await becomes(publisher, bought, "Active");
  expect((await publisher.caller.ok(ad, "GET", bought.path)).subscription.graceEndsAt).toBeNull();
});
