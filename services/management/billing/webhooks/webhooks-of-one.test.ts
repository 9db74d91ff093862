import { expect, it, onTestFinished, vi } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPerson } from "../../tests/story.ts";
import { applied, deliver, newEventId } from "../../tests/webhook-story.ts";

// Jobs are looked for every two seconds.
vi.setConfig({ testTimeout: 90_000 });

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { pool } = service.database;
const { processor } = service;
/** As many emails and webhooks are worked on at a time. */
const PLACES = 4;

/** An event about a subscription that the owner of a connected account has ended there, and that was not sold here. */
function anEvent(account: string) {
  return {
    id: newEventId(),
    object: "event",
    created: Math.floor(Date.now() / 1000),
    type: "customer.subscription.updated",
    account,
    data: { object: { id: "sub_elsewhere", object: "subscription" } },
  };
}

it("sends emails and applies the events of other accounts before what one account has many of", async () => {
  const { id: busy } = await processor.stripe.accounts.create({});
  const { id: quiet } = await processor.stripe.accounts.create({});
  const reader = await aPerson(service);
  const many = Array.from({ length: 3 * PLACES }, () => anEvent(busy));
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

  const other = anEvent(quiet);
  await deliver(service, other);
  await reader.caller.request("POST", "/api/auth/request-password-reset", { email: reader.email });
  for (const { release } of held) release();

  await applied(service, other.id);
  const subjects = async () =>
    (await service.readMails()).flatMap(({ to, subject }) => (to === reader.email ? [subject] : []));
  await expect.poll(subjects).toContain("Choose a new password");
  await holding.query("commit");
  await applied(service, ...many.map(({ id }) => id));
});
