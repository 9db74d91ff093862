import { expect, it, onTestFinished } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPerson, aPublisher, aTier } from "../../tests/story.ts";
import { applied, deliver, newEventId } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { pool } = service.database;
const { processor } = service;
/** As many emails and webhooks are worked on at a time. */
const PLACES = 4;

/** An event about a subscription of a connected account that was not sold here, or of the installation's own account. */
function anEvent(account: string | undefined, subscriptionId = "sub_elsewhere") {
  return {
    id: newEventId(),
    object: "event",
    created: Math.floor(Date.now() / 1000),
    type: "customer.subscription.updated",
    ...(account !== undefined && { account }),
    data: { object: { id: subscriptionId, object: "subscription" } },
  };
}

type Event = ReturnType<typeof anEvent>;

/** Sells an ad of a new workspace; the id of its subscription at the processor. */
async function aSale(): Promise<string> {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const { caller, path } = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  await caller.request("GET", path);
  const { rows } = await pool.query<{ id: string }>(
    "select provider_subscription_id as id from subscriptions where workspace_id = $1",
    [publisher.workspace.id],
  );
  const [sold] = rows;
  if (sold === undefined) throw new Error("nothing was sold");
  return sold.id;
}

async function expectOthersFirst(many: readonly Event[], other: Event): Promise<void> {
  const reader = await aPerson(service);
  const [first, later] = [many.slice(0, PLACES), many.slice(PLACES)];
  const held = first.map(() => processor.holdNextAnswer());
  for (const event of first) await deliver(service, event);
  await Promise.all(held.map(({ given }) => given));
  // All places are taken, and those that follow would keep them.
  for (const event of later) await deliver(service, event);
  const holding = await pool.connect();
  onTestFinished(() => holding.release());
  await holding.query("begin");
  await holding.query("select from webhook_events where id = any($1) for update", [
    later.map(({ id }) => id),
  ]);

  await deliver(service, other);
  await reader.caller.request("POST", "/api/auth/request-password-reset", { email: reader.email });
  for (const { release } of held) release();

  await applied(service, other.id);
  const subjects = async () =>
    (await service.readMails()).flatMap(({ to, subject }) => (to === reader.email ? [subject] : []));
  await expect.poll(subjects).toContain("Choose a new password");
  // They took no place until their statements ended.
  const { rowCount: failed } = await pool.query(
    "select from graphile_worker.jobs where key like 'webhook:%' and last_error is not null",
  );
  expect(failed).toBe(0);
  await holding.query("commit");
  await applied(service, ...many.map(({ id }) => id));
}

it("sends emails and applies the events of other accounts before what one account has many of", async () => {
  const { id: busy } = await processor.stripe.accounts.create({});
  const { id: quiet } = await processor.stripe.accounts.create({});

  await expectOthersFirst(
    Array.from({ length: 3 * PLACES }, () => anEvent(busy)),
    anEvent(quiet),
  );
});

it("sends emails and applies the events of other workspaces before those of one with many sales", async () => {
  const sold = await aSale();
  const other = await aSale();

  await expectOthersFirst(
    Array.from({ length: 3 * PLACES }, () => anEvent(undefined, sold)),
    anEvent(undefined, other),
  );
});
