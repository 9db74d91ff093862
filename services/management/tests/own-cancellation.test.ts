import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import { actionsOn } from "./audit-trail.ts";
import { startManagement } from "./management.ts";
import { anApprovedAd, aPublisher } from "./story.ts";
import { applied, aSubscriptionEvent, deliver } from "./webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { database, processor, services } = service;
const { stripe } = processor;
const note = { note: "Not any more." };

async function aRunningAd() {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);
  const [provider] = (await stripe.subscriptions.list({ limit: 1 })).data;
  if (provider === undefined) throw new Error("the processor has no subscription");
  return { ...running, publisher, provider };
}

/** Begins a rejection that the processor has carried out, and whose answer is on its way. */
async function rejectUnanswered({ publisher, path }: Awaited<ReturnType<typeof aRunningAd>>) {
  const held = processor.holdNextAnswer();
  const rejected = publisher.caller.ok(ad, "POST", `${path}/reject`, note);
  await held.given;
  return { rejected, release: held.release };
}

/** Has several take the subscription's lock one after the other, each from when it is let go. */
async function inThisOrder(subscriptionId: string, ...letGo: (() => void)[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from subscriptions where id = $1 for update", [subscriptionId]);
    for (const [index, act] of letGo.entries()) {
      act();
      await vi.waitFor(
        async () => {
          const { rowCount } = await database.pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          expect(rowCount).toBe(index + 1);
        },
        { timeout: 10_000, interval: 10 },
      );
    }
  } finally {
    await client.query("commit");
    client.release();
  }
}

/** Subjects of the mails to the publisher, once all that was queued has been sent. */
async function mailsTo(email: string): Promise<string[]> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await database.pool.query(
        "select from graphile_worker.jobs where task_identifier = 'mail'",
      );
      expect(rowCount).toBe(0);
    },
    { timeout: 20_000, interval: 20 },
  );
  return (await service.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject);
}

it("leaves a cancellation to the rejection that made it, though a look began before it and saw it first", async () => {
  const running = await aRunningAd();
  const begun = Promise.withResolvers<void>();
  const canRead = Promise.withResolvers<void>();
  const readSubscription: typeof services.payments.readSubscription = async (...asked) => {
    begun.resolve();
    await canRead.promise;
    return await services.payments.readSubscription(...asked);
  };
  const payments = { ...services.payments, readSubscription };
  const looked = syncSubscription({ ...services, payments }, running.provider.id, null);
  await begun.promise;
  const { rejected, release } = await rejectUnanswered(running);

  await inThisOrder(
    running.subscription.id,
    () => canRead.resolve(),
    () => release(),
  );
  await rejected;

  expect((await looked).changed).toBe(false);
  expect(await actionsOn(service, running.subscription.id)).toEqual(["subscription.create"]);
  expect(await mailsTo(running.publisher.person.email)).toEqual([
    "An ad waits for your review: Example Coffee",
  ]);
});

it("tells a publisher nothing of their own cancellation where the processor's answer takes too long to wait for", async () => {
  const running = await aRunningAd();
  const { rejected, release } = await rejectUnanswered(running);
  const canceled = aSubscriptionEvent(await stripe.subscriptions.retrieve(running.provider.id));

  await deliver(service, canceled);
  await applied(service, canceled.id);
  const seen = await running.publisher.caller.ok(ad, "GET", running.path);
  release();

  expect(seen).toMatchObject({ status: "Approved", subscription: { status: "Canceled" } });
  expect((await rejected).status).toBe("Rejected");
  expect(await mailsTo(running.publisher.person.email)).toEqual([
    "An ad waits for your review: Example Coffee",
  ]);
});
