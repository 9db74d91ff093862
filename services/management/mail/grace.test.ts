import { expect, it } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { startManagement } from "../tests/management.ts";
import { aBoughtAd, approveForCharging, becomes, CARDS, followedClock } from "../tests/sandbox-clock.ts";
import { aPublisher } from "../tests/story.ts";
import { tellGraceEnds } from "./grace.ts";
import { mailsTo } from "./tests/sent-mails.ts";

const clock = followedClock();
const service = await startManagement({ unlimited: true, now: clock.now });
const DAY = 24;

/** An approved ad whose first renewal has just failed, with the mails of both that are about payments. */
async function aFailedRenewal(renewalGraceDays: number) {
  const publisher = await aPublisher(service, "Heron Weekly");
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, { renewalGraceDays });
  const bought = await aBoughtAd(service, publisher, CARDS.failing);
  await approveForCharging(publisher, bought);
  await clock.passes(service, 31 * DAY + 6);
  const { subscription } = await becomes(publisher, bought, "PastDue");
  const told = async (email: string) =>
    (await mailsTo(service, email)).filter(({ subject }) => subject.includes("payment"));
  return {
    publisher,
    bought,
    graceEndsAt: subscription.graceEndsAt,
    advertiserMails: () => told(bought.email),
    publisherMails: () => told(publisher.person.email),
  };
}

const dayOf = (moment: string | null) =>
  new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(moment ?? Number.NaN),
  );

it("tells both until when an ad stays live without its renewal, and once when that is over", async () => {
  const { advertiserMails, publisherMails, graceEndsAt } = await aFailedRenewal(3);
  await tellGraceEnds(service.services);
  const failed = [await advertiserMails(), await publisherMails()];

  await clock.passes(service, 3 * DAY + 6);
  await Promise.all([tellGraceEnds(service.services), tellGraceEnds(service.services)]);
  await clock.passes(service, DAY);
  await tellGraceEnds(service.services);

  for (const mails of failed) {
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`stays live until ${dayOf(graceEndsAt)}. After that it's paused`);
  }
  expect((await advertiserMails()).map(({ subject }) => subject)).toEqual([
    "Your payment to Heron Weekly failed",
    "Your ad on Heron Weekly is paused: payment missing",
  ]);
  expect((await publisherMails()).map(({ subject }) => subject)).toEqual([
    "Example Coffee's payment failed",
    "Example Coffee's ad is paused: payment missing",
  ]);
}, 90_000);

it("tells of no end of a grace that there is none of, or within which the payment went through", async () => {
  const without = await aFailedRenewal(0);
  const paid = await aFailedRenewal(14);
  await service.database.pool.query(
    "update subscriptions set status = 'Active', renewal_failed_at = null, sync_version = 9007199254740991 where id = (select subscription_id from ads where id = $1)",
    [paid.bought.id],
  );
  await clock.passes(service, 15 * DAY);
  await tellGraceEnds(service.services);

  const [failed, ...more] = await without.advertiserMails();
  expect(failed?.text).toContain("Your ad is paused until payment goes through.");
  expect(more).toEqual([]);
  expect((await paid.advertiserMails()).map(({ subject }) => subject)).toEqual([
    "Your payment to Heron Weekly failed",
  ]);
}, 90_000);
