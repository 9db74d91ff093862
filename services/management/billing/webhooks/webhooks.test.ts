import type { Stripe } from "stripe";
import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { actionsOn, auditTrail } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher } from "../../tests/story.ts";
import { applied, aSubscriptionEvent, deliver, newEventId } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { stripe } = service.processor;
const publisher = await aPublisher(service);
const { caller } = publisher;

/** An ad that is being served, with the processor's subscription it runs on. */
async function aRunningAd() {
  const running = await anApprovedAd(service, publisher);
  const [newest] = (await stripe.subscriptions.list({ limit: 1 })).data;
  if (newest === undefined) throw new Error("the processor has no subscription");
  return { ...running, remote: newest };
}

const pauseIt = (id: string) => stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });

it("applies a doubled delivery once", async () => {
  const { remote, path, subscription } = await aRunningAd();
  const event = aSubscriptionEvent(await pauseIt(remote.id));

  const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(service, event)));
  await applied(service, event.id);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await caller.ok(ad, "GET", path)).subscription.status).toBe("Paused");
  expect(await actionsOn(service, subscription.id)).toEqual(["subscription.create", "subscription.update"]);
});

it("records the values that the processor changed, and nothing without a change", async () => {
  const { remote, subscription } = await aRunningAd();
  const unchanged = aSubscriptionEvent(await stripe.subscriptions.retrieve(remote.id));
  await deliver(service, unchanged);
  await applied(service, unchanged.id);
  const paused = aSubscriptionEvent(await pauseIt(remote.id));
  await deliver(service, paused);
  await applied(service, paused.id);

  const [created, updated, ...more] = await auditTrail(service, subscription.id);

  expect(more).toEqual([]);
  expect(created).toMatchObject({ action: "subscription.create", actor_kind: "processor", before: null });
  expect(updated).toMatchObject({
    workspace_id: publisher.workspace.id,
    actor_kind: "processor",
    actor_id: null,
    action: "subscription.update",
    before: { status: "Active" },
    after: { status: "Paused" },
  });
});

it("ignores subscriptions that were not sold here", async () => {
  const event = aSubscriptionEvent(await aForeignSubscription());

  await deliver(service, event);
  await applied(service, event.id);

  const { rows } = await service.database.pool.query(
    "select count(*)::int as count from subscriptions where provider_subscription_id = $1",
    [event.data.object.id],
  );
  expect(rows[0].count).toBe(0);
});

it("drops events of objects that neither side knows, and retries those that only we know", async () => {
  const { remote, path } = await aRunningAd();
  const unknown = aSubscriptionEvent({ ...remote, id: "sub_nowhere" });
  const known = aSubscriptionEvent(remote);
  const { pool } = service.database;
  await pool.query(
    "update subscriptions set provider_subscription_id = 'sub_gone' where provider_subscription_id = $1",
    [remote.id],
  );

  await deliver(service, unknown);
  await deliver(service, { ...known, data: { object: { ...remote, id: "sub_gone" } } });
  await applied(service, unknown.id);
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      "select attempts, last_error from graphile_worker.jobs where key = $1",
      [`webhook:${known.id}`],
    );
    expect(rows).toMatchObject([{ attempts: 1, last_error: expect.stringContaining("has no such object") }]);
  }, 20_000);

  expect((await caller.ok(ad, "GET", path)).subscription.status).toBe("Active");
});

it("stores an event of an unused kind, and does nothing", async () => {
  const event = {
    ...aSubscriptionEvent((await aRunningAd()).remote, newEventId()),
    type: "charge.updated",
  };

  const { status } = await deliver(service, event);
  await applied(service, event.id);

  expect(status).toBe(200);
});

/** A subscription that the same account has sold elsewhere. */
async function aForeignSubscription(): Promise<Stripe.Subscription> {
  const product = await stripe.products.create({ name: "Something else" });
  const price = await stripe.prices.create({
    product: product.id,
    unit_amount: 100,
    currency: "usd",
    recurring: { interval: "month" },
  });
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "https://elsewhere.example",
  });
  await fetch(`${service.origin}/sandbox/checkout/${session.id}/complete`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "somebody@elsewhere.example" }),
  });
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
  return await stripe.subscriptions.retrieve(String(subscription));
}
