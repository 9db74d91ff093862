import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { mailsTo, subjectsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { aBoughtAd, approveForCharging, becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher } from "../../tests/story.ts";
import { syncSubscription } from "../subscriptions/subscription.ts";
import { tellGraceEnds } from "./grace.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
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
    expect(mails[0]?.text).toContain(dayOf(graceEndsAt));
  }
  expect((await advertiserMails()).map(({ subject }) => subject)).toEqual([
    "Your payment to Heron Weekly failed",
    "Your ad on Heron Weekly is paused: payment missing",
  ]);
  expect((await publisherMails()).map(({ subject }) => subject)).toEqual([
    "Example Coffee's payment failed",
    "Example Coffee's ad is paused: payment missing",
  ]);
});

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
  expect(failed?.text).toContain("Your ad is shown again once you've paid.");
  expect(more).toEqual([]);
  expect((await paid.advertiserMails()).map(({ subject }) => subject)).toEqual([
    "Your payment to Heron Weekly failed",
  ]);
});

it("says what is still owed, and not that the ad is live, when an ad is resumed after its grace is over", async () => {
  const { publisher, bought, advertiserMails } = await aFailedRenewal(14);
  await publisher.caller.ok(ad, "POST", `${bought.path}/pause`);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    renewalGraceDays: 0,
  });

  const resumed = await publisher.caller.ok(ad, "POST", `${bought.path}/resume`);

  expect(resumed.subscription.status).toBe("PastDue");
  expect((await advertiserMails()).map(({ subject }) => subject)).toEqual([
    "Your payment to Heron Weekly failed",
    "Your payment to Heron Weekly failed",
  ]);
  expect((await advertiserMails())[1]?.text).toContain("Your ad is shown again once you've paid.");
  const subjects = await subjectsTo(service, bought.email);
  expect(subjects.filter((subject) => subject.includes("live again"))).toEqual([]);
});

it("tells both when a grace that was prolonged is over, and not at the end that it had before", async () => {
  const { publisher, advertiserMails, publisherMails } = await aFailedRenewal(3);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    renewalGraceDays: 7,
  });

  await clock.passes(service, 4 * DAY);
  await tellGraceEnds(service.services);
  const before = [...(await advertiserMails()), ...(await publisherMails())].map(({ subject }) => subject);
  await clock.passes(service, 3 * DAY);
  await tellGraceEnds(service.services);

  expect(before.filter((subject) => subject.includes("paused"))).toEqual([]);
  expect((await advertiserMails()).at(-1)?.subject).toBe(
    "Your ad on Heron Weekly is paused: payment missing",
  );
  expect((await publisherMails()).at(-1)?.subject).toBe("Example Coffee's ad is paused: payment missing");
});

it("tells of the end of a grace of a renewal that had failed under the release before", async () => {
  const { bought, advertiserMails } = await aFailedRenewal(7);
  const { rows } = await service.database.pool.query(
    `update subscriptions set renewal_failed_at = null, tells_grace_end = false
     where id = (select subscription_id from ads where id = $1) returning provider_subscription_id`,
    [bought.id],
  );

  await syncSubscription(service.services, rows[0].provider_subscription_id, null);
  await clock.passes(service, 7 * DAY);
  await tellGraceEnds(service.services);

  expect((await advertiserMails()).map(({ subject }) => subject)).toEqual([
    "Your payment to Heron Weekly failed",
    "Your ad on Heron Weekly is paused: payment missing",
  ]);
});
