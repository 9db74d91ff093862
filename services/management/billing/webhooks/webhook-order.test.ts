import type { Stripe } from "stripe";
import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { actionsOn } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher } from "../../tests/story.ts";
import { applied, aSubscriptionEvent, deliver } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { processor } = service;
const { stripe } = processor;
const publisher = await aPublisher(service);
const { caller } = publisher;

async function aRunningAd() {
  const running = await anApprovedAd(service, publisher);
  const [remote] = (await stripe.subscriptions.list({ limit: 1 })).data;
  if (remote === undefined) throw new Error("the processor has no subscription");
  return { ...running, remote };
}

const pauseIt = (id: string) => stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
const resumeIt = (id: string) => stripe.subscriptions.update(id, { pause_collection: "" });
const statusOf = async (path: string) => (await caller.ok(ad, "GET", path)).subscription.status;

/** Delivers the event, and holds the processor's answer to the resulting request. */
async function deliverAndHold(event: {
  readonly id: string;
  readonly data: { object: Stripe.Subscription };
}) {
  const held = processor.holdNextAnswer();
  await deliver(service, event);
  await held.given;
  return held;
}

it("never overwrites a later state with an earlier one", async () => {
  const { remote, path } = await aRunningAd();
  const paused = aSubscriptionEvent(await pauseIt(remote.id));
  const held = await deliverAndHold(paused);
  const resumed = aSubscriptionEvent(await resumeIt(remote.id));
  await deliver(service, resumed);
  await applied(service, resumed.id);

  held.release();
  await applied(service, paused.id);

  expect(await statusOf(path)).toBe("Active");
});

it("reads again if a change was written since the sync began, even one that was undone", async () => {
  const { remote, path, subscription } = await aRunningAd();
  const paused = aSubscriptionEvent(await pauseIt(remote.id));
  const held = await deliverAndHold(paused);
  const resumed = aSubscriptionEvent(await resumeIt(remote.id));
  await deliver(service, resumed);
  await applied(service, resumed.id);
  held.release();
  await applied(service, paused.id);

  const canceled = aSubscriptionEvent(await stripe.subscriptions.cancel(remote.id));
  await deliver(service, canceled);
  await applied(service, canceled.id);

  expect(await statusOf(path)).toBe("Canceled");
  // Active all along, as far as anything was written: the pause was over before it was read to the end.
  expect(await actionsOn(service, subscription.id)).toEqual(["subscription.create", "subscription.update"]);
});

it("keeps the state after a pause although the pause's own answer arrives later", async () => {
  const { remote, path } = await aRunningAd();
  // A pause reads the subscription before it changes it.
  processor.holdNextAnswer().release();
  const held = processor.holdNextAnswer();
  const pausing = caller.ok(ad, "POST", `${path}/pause`);
  await held.given;
  const canceled = aSubscriptionEvent(await stripe.subscriptions.cancel(remote.id));
  await deliver(service, canceled);
  await applied(service, canceled.id);

  held.release();
  const answered = await pausing;

  expect(answered.subscription.status).toBe("Canceled");
  expect(await statusOf(path)).toBe("Canceled");
});

it("creates one subscription and one advertiser for concurrent first events", async () => {
  const { remote, subscription } = await aRunningAd();
  const { pool } = service.database;
  await pool.query(
    "update checkout_sessions set subscription_id = null, status = 'open' where subscription_id = $1",
    [subscription.id],
  );
  await pool.query("delete from ads where subscription_id = $1", [subscription.id]);
  await pool.query("delete from subscriptions where id = $1", [subscription.id]);
  const events = Array.from({ length: 8 }, () => aSubscriptionEvent(remote));

  await Promise.all(events.map((event) => deliver(service, event)));
  await applied(service, ...events.map(({ id }) => id));

  const { rows } = await pool.query("select id from subscriptions where provider_subscription_id = $1", [
    remote.id,
  ]);
  expect(rows).toHaveLength(1);
  expect(await actionsOn(service, rows[0].id)).toEqual(["subscription.create"]);
});
