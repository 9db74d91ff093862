import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { subjectsTo } from "../../mail/tests/sent-mails.ts";
import { actionsOn } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher } from "../../tests/story.ts";
import { applied, aSubscriptionEvent, deliver } from "../../tests/webhook-story.ts";
import { syncSubscription } from "../subscriptions/subscription.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { database, processor, services } = service;
const { stripe } = processor;
const note = { note: "Not any more." };
const TOLD_BEFORE = ["New purchase: Example Coffee in Gold", "New ad to review: Example Coffee"];

async function aRunningAd() {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);
  const [remote] = (await stripe.subscriptions.list({ limit: 1 })).data;
  if (remote === undefined) throw new Error("the processor has no subscription");
  return { ...running, publisher, remote };
}

/** Begins a rejection that the processor has carried out, and holds its answer. */
async function rejectUnanswered({ publisher, path }: Awaited<ReturnType<typeof aRunningAd>>) {
  const held = processor.holdNextAnswer();
  const rejected = publisher.caller.ok(ad, "POST", `${path}/reject`, note);
  await held.given;
  return { rejected, release: held.release };
}

/** Starts the actions in this order, each once the one before waits for the subscription's lock. */
async function inThisOrder(subscriptionId: string, ...actions: (() => void)[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from subscriptions where id = $1 for update", [subscriptionId]);
    for (const [index, act] of actions.entries()) {
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

it("records a cancellation as the publisher's rejection even if a sync has read it first", async () => {
  const running = await aRunningAd();
  const begun = Promise.withResolvers<void>();
  const canRead = Promise.withResolvers<void>();
  const readSubscription: typeof services.payments.readSubscription = async (...asked) => {
    begun.resolve();
    await canRead.promise;
    return await services.payments.readSubscription(...asked);
  };
  const payments = { ...services.payments, readSubscription };
  const synced = syncSubscription({ ...services, payments }, running.remote.id, null);
  await begun.promise;
  const { rejected, release } = await rejectUnanswered(running);

  await inThisOrder(
    running.subscription.id,
    () => canRead.resolve(),
    () => release(),
  );
  await rejected;

  expect((await synced).changed).toBe(false);
  expect(await actionsOn(service, running.subscription.id)).toEqual(["subscription.create"]);
  expect(await subjectsTo(service, running.publisher.person.email)).toEqual(TOLD_BEFORE);
});

it("leaves an end to the change that makes it, and to its letter, even if the processor answers late", async () => {
  const running = await aRunningAd();
  const { rejected, release } = await rejectUnanswered(running);
  const canceled = aSubscriptionEvent(await stripe.subscriptions.retrieve(running.remote.id));

  await deliver(service, canceled);
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        "select last_error from graphile_worker.jobs where key = $1 and attempts > 0 and locked_at is null",
        [`webhook:${canceled.id}`],
      );
      expect(rows).toEqual([{ last_error: expect.stringContaining("is ending the subscription") }]);
    },
    { timeout: 20_000, interval: 20 },
  );
  const seen = await running.publisher.caller.ok(ad, "GET", running.path);
  release();

  expect(seen).toMatchObject({ status: "Approved", subscription: { status: "Active" } });
  expect((await rejected).status).toBe("Rejected");
  await applied(service, canceled.id);
  expect(await subjectsTo(service, running.publisher.person.email)).toEqual(TOLD_BEFORE);
});
