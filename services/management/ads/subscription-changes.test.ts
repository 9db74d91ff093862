import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { listedSubscription } from "#libs/contract/subscriptions.ts";
import { mailsTo, subjectsTo } from "../mail/tests/sent-mails.ts";
import { actionsOn } from "../tests/audit-trail.ts";
import { webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier, chargingSettles } from "../tests/story.ts";

const service = await startManagement();
const { db } = service.database;
const publisher = await aPublisher(service, "Heron Weekly");
const { caller, path } = publisher;

/** A purchase of 49 dollars whose ad never comes. */
async function aPurchase() {
  const { prices } = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  await checkout.caller.request("GET", checkout.path);
  await webhooksApplied(service);
  await chargingSettles(service);
  const { items } = await caller.ok(pageOf(listedSubscription), "GET", `${path}/subscriptions?ad=awaited`);
  const bought = items.find(({ advertiser }) => advertiser.email === checkout.email);
  if (bought === undefined) throw new Error("the purchase is not listed");
  return { ...bought, checkout, path: `${path}/subscriptions/${bought.id}` };
}

async function ledgerOf({ id }: { readonly id: string }) {
  await webhooksApplied(service);
  return (await caller.ok(pageOf(invoice), "GET", `${path}/invoices?subscriptionId=${id}`)).items;
}

it("cancels and refunds a purchase without an ad, tells the advertiser once, and lets them be erased then", async () => {
  const bought = await aPurchase();
  const { id: advertiserId, email } = bought.advertiser;
  const refused = await caller.refused(409, "DELETE", `${path}/advertisers/${advertiserId}`);
  expect(refused.data?.formErrors).toEqual([
    "This advertiser has a subscription that hasn't ended. Cancel it, then erase them.",
  ]);

  const canceled = await caller.ok(listedSubscription, "POST", `${bought.path}/cancel`, {
    refund: true,
    note: "No ad came.",
  });

  expect(canceled).toMatchObject({ status: "Canceled", adId: null, refundDueSince: null });
  expect(await ledgerOf(bought)).toMatchObject([{ amountPaid: 4900, amountRefunded: 4900 }]);
  const mails = await mailsTo(service, email);
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Submit your ad for Heron Weekly",
    "Heron Weekly has canceled your subscription",
  ]);
  expect(mails[1]?.text).toContain("  No ad came.\n");
  expect(mails[1]?.text).toContain("Heron Weekly has refunded $49.00.");
  expect(await subjectsTo(service, publisher.person.email)).not.toContain(
    "Example Coffee's subscription has ended",
  );
  expect(await actionsOn(service, bought.id)).toContain("subscription.cancel");
  const erased = await caller.request("DELETE", `${path}/advertisers/${advertiserId}`);
  expect(erased.status, erased.text).toBe(200);
});

it("refunds nothing unless asked, cancels once however often it is repeated with its key, and takes an ad off the air", async () => {
  const running = await anApprovedAd(service, publisher);
  const cancel = () =>
    fetch(`${service.origin}${path}/subscriptions/${running.subscription.id}/cancel`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${publisher.key.key}`,
        "content-type": "application/json",
        "idempotency-key": "cancel-once",
      },
      body: "{}",
    });

  const [first, second] = [await cancel(), await cancel()];

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await second.text()).toBe(await first.text());
  expect(await ledgerOf(running.subscription)).toMatchObject([{ amountRefunded: 0 }]);
  const { status } = await caller.ok(ad, "GET", running.path);
  expect(status).toBe("Approved");
  const serving = await db
    .selectFrom("ads")
    .where("id", "=", running.id)
    .select("serving_until")
    .executeTakeFirstOrThrow();
  expect(serving.serving_until).not.toBeNull();
  await caller.refused(409, "POST", `${path}/subscriptions/${running.subscription.id}/cancel`);
});

it("owes the refund that the processor does not make at once, and makes it later", async () => {
  const bought = await aPurchase();

  const canceled = await service.processor.while("poor", () =>
    caller.ok(listedSubscription, "POST", `${bought.path}/cancel`, { refund: true }),
  );

  expect(canceled.status).toBe("Canceled");
  expect(canceled.refundDueSince).not.toBeNull();
  await service.database.pool.query(
    "select graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) from graphile_worker.jobs where task_identifier = 'refund-due'",
  );
  await expect.poll(async () => (await ledgerOf(bought))[0]?.amountRefunded, { timeout: 20_000 }).toBe(4900);
});

it("sends the link again, three times a day at most", async () => {
  const bought = await aPurchase();

  for (let n = 0; n < 3; n += 1) {
    expect((await caller.request("POST", `${bought.path}/remind`)).status).toBe(200);
  }
  expect((await caller.request("POST", `${bought.path}/remind`)).status).toBe(429);

  const mails = await mailsTo(service, bought.advertiser.email);
  const reminders = mails.filter(({ subject }) => subject.endsWith("nothing is shown yet"));
  expect(reminders).toHaveLength(3);
  expect(reminders[0]?.text).toContain(`/checkout/${bought.checkout.sessionId}`);
  expect(await actionsOn(service, bought.id)).toContain("subscription.remind");
});

it("has nothing to send where the advertiser has no address", async () => {
  const bought = await aPurchase();
  await db.updateTable("advertisers").set({ email: null }).where("id", "=", bought.advertiser.id).execute();

  const { data } = await caller.refused(409, "POST", `${bought.path}/remind`);

  expect(data?.reason).toBe("NO_LINK_TO_SEND");
});
