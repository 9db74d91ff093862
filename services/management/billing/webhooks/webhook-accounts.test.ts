import type { Stripe } from "stripe";
import { expect, it } from "vitest";
import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { connection } from "#libs/contract/connect.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher, aTier, type Publisher } from "../../tests/story.ts";
import { applied, aSubscriptionEvent, deliver } from "../../tests/webhook-story.ts";
import { reconcile } from "../reconciliation/reconcile.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand", sales: { connect: true } });
const { pool } = service.database;
const { processor } = service;
const { stripe } = processor;

/** A publisher that sells in an account of its own. */
async function aSellerWithAccount() {
  const publisher = await aPublisher(service);
  const { person, path } = publisher;
  const link = z.object({ url: z.string(), accountId: z.string() });
  const { url, accountId } = await person.caller.ok(link, "POST", `${path}/connect`, {});
  await person.caller.request("POST", `${new URL(url).pathname}/complete`, { end: "ready" });
  const state = await person.caller.ok(connection, "GET", `${path}/connect`);
  expect(state.chargesEnabled).toBe(true);
  return { publisher, account: accountId };
}

/** A subscription that an account's owner makes in it, saying that it was sold by that publisher, and more. */
async function aSubscriptionNaming(publisher: Publisher, account: string, more: Stripe.Metadata = {}) {
  const inAccount = { stripeAccount: account };
  const { prices } = await aTier(publisher);
  const product = await stripe.products.create({ name: "Something" }, inAccount);
  const price = await stripe.prices.create(
    { product: product.id, unit_amount: 50, currency: "usd", recurring: { interval: "month" } },
    inAccount,
  );
  const metadata = { workspaceId: publisher.workspace.id, tierPriceId: prices[0]?.id ?? "", ...more };
  const session = await stripe.checkout.sessions.create(
    {
      mode: "subscription",
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: "https://elsewhere.example",
      subscription_data: { metadata },
    },
    inAccount,
  );
  await fetch(`${service.origin}/sandbox/checkout/${session.id}/complete`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "somebody@elsewhere.example" }),
  });
  const [newest] = (await stripe.subscriptions.list({ limit: 1 }, inAccount)).data;
  if (newest === undefined) throw new Error("the account has no subscription");
  return newest;
}

async function soldIn(workspaceId: string): Promise<number> {
  const { rowCount } = await pool.query("select 1 from subscriptions where workspace_id = $1", [workspaceId]);
  return rowCount ?? 0;
}

it("applies an event only to objects of its own account", async () => {
  const { publisher, account } = await aSellerWithAccount();
  const running = await anApprovedAd(service, publisher);
  const inAccount = { stripeAccount: account };
  const [remote] = (await stripe.subscriptions.list({ limit: 1 }, inAccount)).data;
  const canceled = await stripe.subscriptions.cancel(remote?.id ?? "", {}, inAccount);
  const event = { ...aSubscriptionEvent(canceled), account };

  await deliver(service, event);
  await applied(service, event.id);

  const { subscription } = await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${running.id}`);
  expect(subscription.status).toBe("Canceled");
});

it("pauses and resumes in the account in which an ad was sold", async () => {
  const { publisher } = await aSellerWithAccount();
  const running = await anApprovedAd(service, publisher);
  const path = `${publisher.path}/ads/${running.id}`;

  const paused = await publisher.caller.ok(ad, "POST", `${path}/pause`);
  const resumed = await publisher.caller.ok(ad, "POST", `${path}/resume`);

  expect([paused, resumed].map(({ subscription }) => subscription.status)).toEqual(["Paused", "Active"]);
});

it("ignores an account owner's claims about another workspace, by webhook and by comparison", async () => {
  const { publisher: owner, account } = await aSellerWithAccount();
  const victim = await aPublisher(service, "Another Weekly");
  const forged = { ...aSubscriptionEvent(await aSubscriptionNaming(victim, account)), account };
  const honest = { ...aSubscriptionEvent(await aSubscriptionNaming(owner, account)), account };

  await deliver(service, forged);
  await deliver(service, honest);
  await applied(service, forged.id, honest.id);
  const { report } = await reconcile(service.services);

  expect(report.failed).toEqual({ count: 0, ids: [] });
  expect(await soldIn(victim.workspace.id)).toBe(0);
  expect(await soldIn(owner.workspace.id)).toBe(1);
});

const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);

/** Metadata of a stop, and of a period with that invoice. */
function stoppedWith(invoiceId: string): Stripe.Metadata {
  return { stop: `paused ${NOW}`, period: `${NOW - 100} ${NOW + DAY} ${invoiceId} -` };
}

/** What the processor is asked in an account meanwhile. */
async function askedIn(account: string, act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = processor.askedIn(account).length;
  await act();
  return processor.askedIn(account).slice(before);
}

it("asks nothing more about an account owner's claims, living or canceled, in a comparison", async () => {
  const { account } = await aSellerWithAccount();
  const inAccount = { stripeAccount: account };
  const victim = await aPublisher(service, "Victim Weekly");
  const living = await aSubscriptionNaming(victim, account);
  const metadata = stoppedWith(String(living.latest_invoice));
  await stripe.subscriptions.update(living.id, { metadata }, inAccount);
  const canceled = await aSubscriptionNaming(victim, account);
  await stripe.subscriptions.cancel(canceled.id, {}, inAccount);

  const asked = await askedIn(account, () => reconcile(service.services));

  expect(asked).toEqual(["GET /v1/subscriptions", "GET /v1/invoices", "GET /v1/refunds", "GET /v1/disputes"]);
});

it("asks once about the event of an invoice whose subscription was not sold here", async () => {
  const { account } = await aSellerWithAccount();
  const victim = await aPublisher(service, "Victim Monthly");
  const forged = await aSubscriptionNaming(victim, account);
  const inAccount = { stripeAccount: account };
  const invoice = await stripe.invoices.retrieve(String(forged.latest_invoice), {}, inAccount);
  const metadata = stoppedWith(String(forged.latest_invoice));
  await stripe.subscriptions.update(forged.id, { metadata }, inAccount);
  const event = { ...aSubscriptionEvent(forged), type: "invoice.paid", data: { object: invoice }, account };

  const asked = await askedIn(account, async () => {
    await deliver(service, event);
    await applied(service, event.id);
  });

  expect(asked).toEqual([`GET /v1/subscriptions/${forged.id}`]);
});

it.each([
  ["an invoice that does not exist", stoppedWith("in_madeup")],
  ["another thing for an invoice", stoppedWith("search")],
  ["times of a far future", { stop: "paused 999999999999", period: "0 999999999999 - 999999999999999" }],
  ["more money than there is", { period: `${NOW} ${NOW + 30 * DAY} - 9999999999999999` }],
])("compares an account whose owner has written %s into a subscription", async (_what, metadata) => {
  const { publisher, account } = await aSellerWithAccount();
  const running = await anApprovedAd(service, publisher);
  const inAccount = { stripeAccount: account };
  const [remote] = (await stripe.subscriptions.list({ limit: 1 }, inAccount)).data;
  const written = await aSubscriptionNaming(publisher, account, metadata);
  const isMoved = !("stop" in metadata);
  if (isMoved) await stripe.subscriptions.update(written.id, { trial_end: NOW + 30 * DAY }, inAccount);
  await stripe.subscriptions.update(remote?.id ?? "", { pause_collection: { behavior: "void" } }, inAccount);

  const { report } = await reconcile(service.services);
  const again = await reconcile(service.services);

  const { subscription } = await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${running.id}`);
  expect(subscription.status).toBe("Paused");
  expect(report.failed).toEqual({ count: 0, ids: [] });
  expect(again.report.failed.count + again.report.repaired.subscription.count).toBe(0);
});
