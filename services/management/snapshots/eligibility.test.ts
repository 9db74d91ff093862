import { expect, it } from "vitest";
import { ad, eligibility, listedAd } from "#libs/contract/ad.ts";
import { pageOf } from "#libs/contract/query.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher } from "../tests/story.ts";
import { applied, aSubscriptionEvent, deliver } from "../tests/webhook-story.ts";

const clock = { ahead: 0 };
const service = await startManagement({ webhooks: "by hand", now: () => Date.now() + clock.ahead });
const publisher = await aPublisher(service);
const { caller } = publisher;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function reasonCodes(path: string): Promise<string[]> {
  const { eligible, reasons } = await caller.ok(eligibility, "GET", `${path}/eligibility`);
  expect(eligible).toBe(reasons.length === 0);
  for (const { message } of reasons) expect(message).toMatch(/^(The|Waiting) .+\.$/);
  return reasons.map(({ code }) => code);
}

it("gives no reason for an ad that is served, and says since when", async () => {
  const running = await anApprovedAd(service, publisher);

  const answer = await caller.ok(eligibility, "GET", `${running.path}/eligibility`);

  expect(answer).toMatchObject({ eligible: true, reasons: [], servingUntil: null });
  expect(Date.parse(answer.servingSince ?? "")).toBeGreaterThanOrEqual(Date.parse(running.createdAt));
});

it("names the review, the subscription or both", async () => {
  const pending = await aPendingAd(service, publisher);
  const running = await anApprovedAd(service, publisher);

  expect(await reasonCodes(pending.path)).toEqual(["NOT_APPROVED"]);
  await caller.ok(ad, "POST", `${running.path}/pause`);
  expect(await reasonCodes(running.path)).toEqual(["SUBSCRIPTION_PAUSED"]);
  await caller.ok(ad, "POST", `${running.path}/reject`, { note: "No." });
  expect(await reasonCodes(running.path)).toEqual(["NOT_APPROVED", "SUBSCRIPTION_CANCELED"]);

  const ended = await caller.ok(eligibility, "GET", `${running.path}/eligibility`);
  expect(Date.parse(ended.servingUntil ?? "")).toBeGreaterThanOrEqual(Date.parse(ended.servingSince ?? ""));
  const never = await caller.ok(eligibility, "GET", `${pending.path}/eligibility`);
  expect(never).toMatchObject({ servingSince: null, servingUntil: null });
});

it("plans the end of an ad that is to cancel, and names it once it has come", async () => {
  const running = await anApprovedAd(service, publisher);
  const { stripe } = service.processor;
  const [mine] = (await stripe.subscriptions.list({ limit: 1 })).data;
  const canceling = await stripe.subscriptions.update(mine?.id ?? "", { cancel_at_period_end: true });
  const event = aSubscriptionEvent(canceling);
  await deliver(service, event);
  await applied(service, event.id);

  const before = await caller.ok(eligibility, "GET", `${running.path}/eligibility`);
  const { subscription } = await caller.ok(ad, "GET", running.path);
  clock.ahead = 32 * DAY;

  expect(before).toMatchObject({ eligible: true, servingUntil: subscription.currentPeriodEnd });
  expect(subscription.cancelAtPeriodEnd).toBe(true);
  expect(await reasonCodes(running.path)).toEqual(["PERIOD_ENDED"]);
  clock.ahead = 0;
});

it("ends the serving window of an ad that is paused by a clock that was set back", async () => {
  const running = await anApprovedAd(service, publisher);
  clock.ahead = -HOUR;

  const listed = await caller.ok(pageOf(listedAd), "GET", `${publisher.path}/ads?serving=yes`);
  await caller.ok(ad, "POST", `${running.path}/pause`);
  const ended = await caller.ok(eligibility, "GET", `${running.path}/eligibility`);
  clock.ahead = 0;

  expect(listed.items.map(({ id }) => id)).toContain(running.id);
  expect(Date.parse(ended.servingUntil ?? "")).toBeLessThanOrEqual(Date.now() - HOUR);
  expect(ended.servingSince).toBe(ended.servingUntil);
});
