import { expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { DAY_HOURS, paidAds } from "../../tests/paid-ads.ts";
import { becomes, sandboxClock } from "../../tests/sandbox-clock.ts";
import type { Publisher } from "../../tests/story.ts";

/*
 * Decisions about edits of ads that their subscriptions keep off the air.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);

type Bought = Awaited<ReturnType<typeof ads.aWeeklyAd>>["bought"];

async function proposeEdit({ sessionId }: Bought): Promise<void> {
  const edit = { name: "Example Roasters", websiteUrl: "https://roasters.example" };
  const path = `/v1/checkout-sessions/${sessionId}/ad`;
  await new ApiCaller(service.origin).ok(submittedAd, "POST", path, edit);
}

async function decide(publisher: Publisher, { path }: Bought, decision: string, note?: string) {
  const { status, text } = await publisher.caller.request("POST", `${path}/revision/${decision}`, { note });
  expect(status, text).toBe(200);
}

it("tells no advertiser that an edit is live, or the current version, while the ad is paused", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await proposeEdit(bought);
  await ads.act(publisher, bought, "pause");

  await decide(publisher, bought, "request-changes", "Shorter.");
  await decide(publisher, bought, "approve");

  const requested = await ads.letter(bought.email, "Changes to your edit requested");
  const approved = await ads.letter(bought.email, "Your edit is approved");
  expect(requested).toContain("The current version is kept.");
  expect(approved).toContain("Your ad isn't shown right now");
  for (const letter of [requested, approved]) expect(letter).not.toMatch(/\blive\b/);
});

it("tells no advertiser that the current version is live while the ad is stopped for want of payment", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  await proposeEdit(bought);
  await clock.passes(service, DAY_HOURS);
  await ads.isStopped(bought, "unpaid");

  await decide(publisher, bought, "reject", "Too loud.");

  const rejected = await ads.letter(bought.email, "Your edit was rejected");
  expect(rejected).toContain("The current version is kept.");
  expect(rejected).not.toMatch(/\blive\b/);
});

it("tells no advertiser that an edit is live once the subscription has ended", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await proposeEdit(bought);
  const { stripe } = service.processor;
  await stripe.subscriptions.cancel(await ads.subscriptionOf(bought));
  await becomes(publisher, bought, "Canceled");

  await decide(publisher, bought, "approve");

  const approved = await ads.letter(bought.email, "Your edit is approved");
  expect(approved).toContain("Your ad isn't shown right now");
  expect(approved).not.toMatch(/\blive\b/);
});

it("says that an edit is live while its ad is on the air", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await proposeEdit(bought);

  await decide(publisher, bought, "approve");

  const approved = await ads.letter(bought.email, "Your edit is approved");
  expect(approved).toContain("Your edit of “Example Roasters” is live");
});
