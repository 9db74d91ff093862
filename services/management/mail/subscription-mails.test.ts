import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { syncSubscription } from "../billing/subscriptions/subscription.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";
import { applied, aSubscriptionEvent, deliver, newEventId } from "../tests/webhook-story.ts";
import { mailsTo, subjectsTo } from "./tests/sent-mails.ts";

const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;

async function aRunningAd() {
  const publisher = await aPublisher(service, "Heron Weekly");
  const running = await anApprovedAd(service, publisher);
  const { email, sessionId } = running.checkout;
  const { subscription } = await stripe.checkout.sessions.retrieve(sessionId);
  const page = `${service.origin}/advertise/${publisher.workspace.id}/checkout/${sessionId}`;
  return { ...running, publisher, email, page, subscriptionId: String(subscription) };
}

type RunningAd = Awaited<ReturnType<typeof aRunningAd>>;

async function reaches({ subscriptionId }: RunningAd, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await service.database.pool.query(
        "select status from subscriptions where provider_subscription_id = $1",
        [subscriptionId],
      );
      expect(rows[0]?.status).toBe(status);
    },
    { timeout: 60_000, interval: 20 },
  );
}

/** Learns of the subscription's state again: by webhooks, one of them twice, and by comparing with the processor. */
async function learnAgain({ subscriptionId }: RunningAd): Promise<void> {
  const event = aSubscriptionEvent(await stripe.subscriptions.retrieve(subscriptionId));
  const another = { ...event, id: newEventId() };
  for (const one of [event, another, event]) await deliver(service, one);
  await applied(service, event.id, another.id);
  await Promise.all([1, 2].map(() => syncSubscription(service.services, subscriptionId, null)));
}

/** The mails to the ad's advertiser after the approval, by subject. */
async function newsTo({ email }: RunningAd): Promise<[subject: string, text: string][]> {
  const mails = await mailsTo(service, email);
  const approved = mails.findIndex(({ subject }) => subject.startsWith("Your ad is approved"));
  return mails.slice(approved + 1).map(({ subject, text }) => [subject, text]);
}

it("tells the advertiser once of their cancellation with the day until which it runs, and once of the end", async () => {
  const running = await aRunningAd();

  await stripe.subscriptions.update(running.subscriptionId, { cancel_at_period_end: true });
  await vi.waitFor(async () => expect(await newsTo(running)).toHaveLength(1), 60_000);
  await learnAgain(running);
  const [canceled] = await newsTo(running);
  await fetch(`${service.origin}/sandbox/clock/advance`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ days: 40 }),
  });
  await reaches(running, "Canceled");
  await learnAgain(running);

  const news = await newsTo(running);
  expect(news.map(([subject]) => subject)).toEqual([
    "Your subscription to Heron Weekly is canceled",
    "Your subscription to Heron Weekly has ended",
  ]);
  expect(canceled?.[1]).toContain(
    "You canceled your subscription for “Example Coffee” in Gold on Heron Weekly.",
  );
  expect(canceled?.[1]).toMatch(
    /Your ad keeps running until \w+ \d+, \d{4}\. You won't be charged for another period\./,
  );
  expect(canceled?.[1]).toContain(`${running.page}/billing\n`);
  expect(news[1]?.[1]).toContain("has ended, as canceled before.");
  expect(news[1]?.[1]).toContain("Your ad is no longer shown. You won't be charged again.");
});

it("tells the advertiser once of a subscription that ends at once, with the reason that was given", async () => {
  const running = await aRunningAd();

  await stripe.subscriptions.cancel(running.subscriptionId, {
    cancellation_details: { comment: "The shop has closed." },
  });
  await reaches(running, "Canceled");
  await learnAgain(running);

  const news = await newsTo(running);
  expect(news.map(([subject]) => subject)).toEqual(["Your subscription to Heron Weekly has ended"]);
  expect(news[0]?.[1]).toContain("was canceled and has ended.");
  expect(news[0]?.[1]).toContain("  The shop has closed.\n");
});

it("tells both of a cancellation that is withdrawn, and of an end that comes before the planned one", async () => {
  const running = await aRunningAd();
  const { subscriptionId, publisher } = running;
  const toPublisher = async () =>
    (await subjectsTo(service, publisher.person.email)).filter((subject) => /cancel|ended/.test(subject));

  await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
  await vi.waitFor(async () => expect(await newsTo(running)).toHaveLength(1), 60_000);
  await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: false });
  await vi.waitFor(async () => expect(await newsTo(running)).toHaveLength(2), 60_000);
  await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
  await vi.waitFor(async () => expect(await newsTo(running)).toHaveLength(3), 60_000);
  await stripe.subscriptions.cancel(subscriptionId);
  await reaches(running, "Canceled");
  await learnAgain(running);

  const news = await newsTo(running);
  expect(news.map(([subject]) => subject)).toEqual([
    "Your subscription to Heron Weekly is canceled",
    "Your subscription to Heron Weekly continues",
    "Your subscription to Heron Weekly is canceled",
    "Your subscription to Heron Weekly has ended",
  ]);
  expect(news[1]?.[1]).toContain("It continues as before");
  expect(news[3]?.[1]).toContain("was canceled and has ended.");
  const name = running.subscription.advertiser.name;
  expect(await toPublisher()).toEqual([
    `${name} canceled`,
    `${name} withdrew the cancellation`,
    `${name} canceled`,
    `${name}'s subscription has ended`,
  ]);
});

it("tells the advertiser of a rejection, and not of the end that comes with it", async () => {
  const running = await aRunningAd();

  await running.publisher.caller.ok(ad, "POST", `${running.path}/reject`, { note: "Not any more." });
  await learnAgain(running);

  expect((await newsTo(running)).map(([subject]) => subject)).toEqual([
    "Your ad was rejected: Example Coffee",
  ]);
});

it("tells the advertiser once that the publisher has paused the ad, and once that it is resumed", async () => {
  const running = await aRunningAd();

  await running.publisher.caller.ok(ad, "POST", `${running.path}/pause`);
  await learnAgain(running);
  await running.publisher.caller.ok(ad, "POST", `${running.path}/resume`);
  await learnAgain(running);
  await running.publisher.caller.refused(409, "POST", `${running.path}/resume`);

  const news = await newsTo(running);
  expect(news.map(([subject]) => subject)).toEqual([
    "Your ad is paused: Example Coffee",
    "Your ad is live again: Example Coffee",
  ]);
  expect(news[0]?.[1]).toContain("Heron Weekly paused “Example Coffee” in Gold, so it isn't shown.");
  expect(news[0]?.[1]).toContain(
    "You won't be charged until it's resumed. The rest of the current period runs then.",
  );
  for (const [, text] of news) expect(text).toContain(`${running.page}\n`);
});

it("tells the advertiser of a pause that was made at the payment processor", async () => {
  const running = await aRunningAd();

  await stripe.subscriptions.update(running.subscriptionId, { pause_collection: { behavior: "void" } });
  await reaches(running, "Paused");
  // The service makes the pause its own first.
  await vi.waitFor(async () => {
    const { metadata } = await stripe.subscriptions.retrieve(running.subscriptionId);
    expect(metadata.stop).toMatch(/^paused /);
  }, 60_000);
  await stripe.subscriptions.update(running.subscriptionId, { pause_collection: "" });
  await reaches(running, "Active");

  expect((await newsTo(running)).map(([subject]) => subject)).toEqual([
    "Your ad is paused: Example Coffee",
    "Your ad is live again: Example Coffee",
  ]);
});

it("tells both of a cancellation that is learned of with the answer to a pause", async () => {
  const running = await aRunningAd();
  service.deliverWebhooksTo("http://127.0.0.1:9/");
  onTestFinished(() => service.deliverWebhooksTo(`${service.origin}/v1/webhooks/stripe`));

  await stripe.subscriptions.update(running.subscriptionId, { cancel_at_period_end: true });
  await running.publisher.caller.ok(ad, "POST", `${running.path}/pause`);
  await learnAgain(running);

  expect((await newsTo(running)).map(([subject]) => subject).toSorted()).toEqual([
    "Your ad is paused: Example Coffee",
    "Your subscription to Heron Weekly is canceled",
  ]);
  expect(await subjectsTo(service, running.publisher.person.email)).toContain("Example Coffee canceled");
});

it("tells the advertiser of a pause whose process died before it recorded it", async () => {
  const running = await aRunningAd();
  await service.database.pool.query(
    "update subscriptions set claim = 'ad.pause:a dead one', claimed_until = now() + interval '1 minute' where provider_subscription_id = $1",
    [running.subscriptionId],
  );

  await stripe.subscriptions.update(running.subscriptionId, { pause_collection: { behavior: "void" } });
  await reaches(running, "Paused");
  await learnAgain(running);

  expect((await newsTo(running)).map(([subject]) => subject)).toEqual(["Your ad is paused: Example Coffee"]);
});
