import { expect, it, vi } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { createMemoryLimits } from "#libs/limits/index.ts";
import { formats } from "../../mail/formats.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { applied, deliver, newEventId } from "../../tests/webhook-story.ts";
import { mailPurchase } from "./purchases.ts";

const service = await startManagement({
  unlimited: true,
  webhooks: "by hand",
  sales: { trialDays: 14 },
});
const { stripe } = service.processor;
const publisher = await aPublisher(service, "Heron Weekly");
const { prices } = await aTier(publisher);
const creative = { name: "Fresh beans", websiteUrl: "https://coffee.example" };

/** A checkout that is paid, which nobody here has heard of yet. */
async function aPurchase(priceId = prices[0]?.id ?? "") {
  const checkout = await aPaidCheckout(service, publisher, priceId);
  const session = await stripe.checkout.sessions.retrieve(checkout.sessionId);
  const page = `${service.origin}/advertise/${publisher.workspace.id}/checkout/${checkout.sessionId}`;
  return { ...checkout, session, providerId: String(session.subscription), page };
}

type Purchase = Awaited<ReturnType<typeof aPurchase>>;

function anEvent(type: string, object: object) {
  return {
    id: newEventId(),
    object: "event",
    api_version: "2025-01-01",
    created: Math.floor(Date.now() / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

async function arrive(...events: ReturnType<typeof anEvent>[]): Promise<void> {
  await Promise.all(events.map((event) => deliver(service, event)));
  await applied(service, ...events.map(({ id }) => id));
}

const completed = ({ session }: Purchase) => anEvent("checkout.session.completed", session);
const visited = ({ caller, path }: Purchase) => caller.request("GET", path);

/** The mails to somebody, once all that was queued has been sent. */
async function mailsTo(email: string) {
  await vi.waitFor(
    async () => {
      const { rowCount } = await service.database.pool.query(
        "select from graphile_worker.jobs where task_identifier = 'mail'",
      );
      expect(rowCount).toBe(0);
    },
    { timeout: 20_000, interval: 20 },
  );
  return (await service.readMails()).filter(({ to }) => to === email);
}

it("thanks the buyer for the publisher, with what was bought and the way to send the ad", async () => {
  const purchase = await aPurchase();
  const { trial_end } = await stripe.subscriptions.retrieve(purchase.providerId);

  await arrive(completed(purchase));

  const [mail] = await mailsTo(purchase.email);
  const trialEnd = formats.day(new Date((trial_end ?? 0) * 1000));
  expect(mail?.from).toBe("Heron Weekly via Placard <placard@example.org>");
  expect(mail?.subject).toBe("Submit your ad for Heron Weekly");
  expect(mail?.text).toContain(`Gold on Heron Weekly (free until ${trialEnd}, then $49/month).`);
  expect(mail?.text).toContain(`${purchase.page}\n`);
  expect(mail?.html).toContain(`href="${purchase.page}"`);
});

it("thanks once for a purchase, whether webhook or page comes first, together, again or late", async () => {
  const purchase = await aPurchase();
  const subscription = await stripe.subscriptions.retrieve(purchase.providerId);
  const changed = () => anEvent("customer.subscription.updated", subscription);

  await arrive(changed());
  const before = await mailsTo(purchase.email);
  const visits = [visited(purchase), visited(purchase), visited(purchase)];
  await arrive(completed(purchase), completed(purchase), changed(), completed(purchase));
  await Promise.all(visits);
  await arrive(completed(purchase));
  await visited(purchase);

  expect(before).toEqual([]);
  expect(await mailsTo(purchase.email)).toHaveLength(1);
});

it("thanks for each of several purchases of one buyer, each with its own page", async () => {
  const email = "agency@example.com";
  const checkouts = [
    await aPaidCheckout(service, publisher, prices[0]?.id ?? "", email),
    await aPaidCheckout(service, publisher, prices[0]?.id ?? "", email),
  ];

  for (const { caller, path } of checkouts) await caller.request("GET", path);

  const mails = await mailsTo(email);
  expect(mails).toHaveLength(2);
  for (const { sessionId } of checkouts) {
    expect(mails.filter(({ text }) => text.includes(`/checkout/${sessionId}\n`))).toHaveLength(1);
  }
});

it("leads on to the ad where it was sent before the mail is read", async () => {
  const purchase = await aPurchase();
  await purchase.caller.ok(submittedAd, "POST", `${purchase.path}/ad`, creative);
  await arrive(completed(purchase));

  const mails = await mailsTo(purchase.email);
  const page = await fetch(/https?:\S+checkout\S+/.exec(mails[0]?.text ?? "")?.[0] ?? "");

  expect(mails).toHaveLength(1);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("In review");
});

it("says of a free tier that it is free", async () => {
  const free = await aTier(publisher, {
    name: "Friends",
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  const purchase = await aPurchase(free.prices[0]?.id);

  await visited(purchase);

  const [mail] = await mailsTo(purchase.email);
  expect(mail?.text).toContain("Thanks for buying Friends on Heron Weekly (free).");
});

it("asks nobody for an ad whose checkout has expired, or whose subscription has ended by then", async () => {
  const email = "nobody-bought@example.com";
  const anybody = new ApiCaller(service.origin);
  const started = await anybody.request("POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId: prices[0]?.id,
    email,
  });
  const { sessionId } = JSON.parse(started.text);
  const expired = await stripe.checkout.sessions.expire(sessionId);
  const ended = await aPurchase();
  const canceled = await stripe.subscriptions.cancel(ended.providerId);

  await arrive(
    anEvent("checkout.session.expired", expired),
    anEvent("customer.subscription.deleted", canceled),
    completed(ended),
  );

  expect(await mailsTo(email)).toEqual([]);
  expect(await mailsTo(ended.email)).toEqual([]);
  expect((await visited(ended)).text).toContain('"status":"complete"');
});

it("sends one address no more than twenty an hour", async () => {
  const limits = createMemoryLimits();
  const { db, logger, publicUrl } = service.services;
  const purchase = await aPurchase();
  const { email, sessionId } = purchase;
  await visited(purchase);
  const { id } = await db
    .selectFrom("subscriptions")
    .where("provider_subscription_id", "=", purchase.providerId)
    .select("id")
    .executeTakeFirstOrThrow();
  const told = { workspaceId: publisher.workspace.id, subscriptionId: id, sessionId };
  const before = await mailsTo(email);

  for (let n = 0; n < 22; n += 1) {
    await db.transaction().execute((trx) => mailPurchase(trx, { limits, logger, publicUrl }, told));
  }

  expect((await mailsTo(email)).length - before.length).toBe(20);
  await limits.close();
});
