import { expect, it, vi } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { openPage } from "../../selling/tests/pages.ts";
import { pathOf } from "../../selling/tests/states.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { DAY_HOURS, DAY_MS, paidAds, WEEKLY, WITHIN } from "../../tests/paid-ads.ts";
import { awaitsApproval, becomes, CARDS, openCheckout, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";
import { settleCharging } from "./settle-charging.ts";
import { whileClaimed } from "./subscription-claim.ts";

const TRIAL_DAYS = 14;
const clock = sandboxClock();
const service = await startManagement({ unlimited: true, sales: { trialDays: TRIAL_DAYS } });
const { stripe } = service.processor;
const { jobsDone, withoutWebhooks } = paidAds(service);

const MINUTE_MS = 60_000;
const YEARLY = { initialPrices: [{ amount: 90_000, intervalCount: 1, interval: "Year", currency: "usd" }] };

/** A purchase without an ad. */
async function aPurchase(publisher: Publisher, card: string, tier: Record<string, unknown>): Promise<string> {
  const { sessionId } = await openCheckout(service, publisher, tier);
  const payer = { email: `buyer-${crypto.randomUUID()}@example.com`, name: "Example Coffee", card };
  const path = `/sandbox/checkout/${sessionId}/complete`;
  expect((await new ApiCaller(service.origin).request("POST", path, payer)).status).toBe(200);
  return sessionId;
}

async function submit(publisher: Publisher, sessionId: string) {
  const { id } = await new ApiCaller(service.origin).ok(
    submittedAd,
    "POST",
    `/v1/checkout-sessions/${sessionId}/ad`,
    { name: "Example Coffee", websiteUrl: "https://coffee.example" },
  );
  return { id, path: `${publisher.path}/ads/${id}` };
}

async function subscriptionOf(sessionId: string) {
  const { subscription } = await stripe.checkout.sessions.retrieve(sessionId);
  return await stripe.subscriptions.retrieve(String(subscription));
}

/** Waits until the processor holds the charges of the purchase. */
async function isHeld(sessionId: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await subscriptionOf(sessionId)).metadata.awaitsApproval).toBe("yes");
  }, WITHIN);
}

/** The invoices of more than nothing, oldest first. */
async function invoicesOf(sessionId: string): Promise<string[]> {
  const { id } = await subscriptionOf(sessionId);
  const { data } = await stripe.invoices.list({ subscription: id, limit: 100 });
  return data
    .filter(({ total }) => total > 0)
    .map(({ status, total }) => `${status} ${total}`)
    .toReversed();
}

async function isOnAir({ caller }: Publisher, { path }: { readonly path: string }): Promise<boolean> {
  return (await caller.ok(eligibility, "GET", `${path}/eligibility`)).eligible;
}

/** Approves the ad, and waits until its time begins, which is now. */
async function approveAndBegin(publisher: Publisher, bought: { readonly path: string }) {
  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);
  await awaitsApproval(publisher, bought, false);
  const { subscription } = await becomes(publisher, bought, "Active");
  const start = Date.parse(subscription.currentPeriodStart ?? "");
  expect(Math.abs(start - clock.now())).toBeLessThan(MINUTE_MS);
  await vi.waitFor(async () => expect(await isOnAir(publisher, bought)).toBe(true), WITHIN);
  return { days: (Date.parse(subscription.currentPeriodEnd ?? "") - start) / DAY_MS, subscription };
}

it.each([
  ["weekly", WEEKLY, 7000, 7],
  ["yearly", YEARLY, 90_000, 365],
] as const)(
  "charges a %s price at the approval of an ad that was submitted after its trial",
  async (_name, tier, amount, days) => {
    const publisher = await aPublisher(service);
    const sessionId = await aPurchase(publisher, CARDS.sound, tier);
    await isHeld(sessionId);
    await clock.passes(service, (TRIAL_DAYS + 3) * DAY_HOURS);
    const bought = await submit(publisher, sessionId);
    await awaitsApproval(publisher, bought, true);
    await clock.passes(service, 2 * DAY_HOURS);
    expect((await invoicesOf(sessionId)).filter((one) => one.startsWith("paid"))).toEqual([]);
    expect(await isOnAir(publisher, bought)).toBe(false);

    const begun = await approveAndBegin(publisher, bought);

    expect(Math.floor(begun.days)).toBeGreaterThanOrEqual(days);
    expect(begun.subscription).toMatchObject({ paidAmount: amount, awaitsCharge: false });
    expect((await invoicesOf(sessionId)).filter((one) => one.startsWith("paid"))).toEqual([`paid ${amount}`]);
  },
);

it("speaks of no time that was paid for where nothing was, after a trial", async () => {
  const publisher = await aPublisher(service);
  const sessionId = await aPurchase(publisher, CARDS.sound, WEEKLY);
  await isHeld(sessionId);
  await clock.passes(service, (TRIAL_DAYS + 1) * DAY_HOURS);

  await vi.waitFor(async () => {
    const page = await openPage(service, pathOf(publisher, { sessionId }));
    expect(page.text).toContain("a new period starts and is charged");
    expect(page.text).not.toContain("you paid for");
  }, WITHIN);
  expect((await invoicesOf(sessionId)).filter((one) => one.startsWith("paid"))).toEqual([]);
});

it("begins the time of renewals that were paid while Placard was away with the approval", async () => {
  const publisher = await aPublisher(service);
  let sessionId = "";
  await withoutWebhooks(async () => {
    sessionId = await aPurchase(publisher, CARDS.sound, WEEKLY);
    await clock.passes(service, (TRIAL_DAYS + 8) * DAY_HOURS);
  });
  expect(await invoicesOf(sessionId)).toEqual(["paid 7000", "paid 7000"]);
  const bought = await submit(publisher, sessionId);
  await awaitsApproval(publisher, bought, true);
  await clock.passes(service, 20 * DAY_HOURS);
  await becomes(publisher, bought, "Active");
  const page = await openPage(service, pathOf(publisher, { sessionId }));
  expect(page.text).not.toContain("a new period starts and is charged");

  const { days } = await approveAndBegin(publisher, bought);

  expect(days).toBe(14);
  const paid = async () => (await invoicesOf(sessionId)).filter((one) => one.startsWith("paid")).length;
  await clock.passes(service, 14 * DAY_HOURS - 1);
  expect(await paid()).toBe(2);
  await clock.passes(service, 3);
  expect(await paid()).toBe(3);
});

it("voids a renewal that failed while Placard was away, and charges at the approval", async () => {
  const publisher = await aPublisher(service);
  let sessionId = "";
  await withoutWebhooks(async () => {
    sessionId = await aPurchase(publisher, CARDS.failing, WEEKLY);
    await clock.passes(service, (TRIAL_DAYS + 1) * DAY_HOURS);
  });
  expect(await invoicesOf(sessionId)).toEqual(["open 7000"]);

  const bought = await submit(publisher, sessionId);
  await awaitsApproval(publisher, bought, true);
  expect(await invoicesOf(sessionId)).toEqual(["void 7000"]);
  const { customer } = await subscriptionOf(sessionId);
  const { url } = await stripe.billingPortal.sessions.create({ customer: String(customer) });
  await publisher.caller.request("POST", `${new URL(url).pathname}/card`, { card: CARDS.sound });

  const begun = await approveAndBegin(publisher, bought);

  expect(begun.days).toBe(7);
  expect(await invoicesOf(sessionId)).toEqual(["void 7000", "paid 7000"]);
});

it("refunds the rest of several renewals that were paid before the approval", async () => {
  const publisher = await aPublisher(service);
  let sessionId = "";
  await withoutWebhooks(async () => {
    sessionId = await aPurchase(publisher, CARDS.sound, WEEKLY);
    await clock.passes(service, (TRIAL_DAYS + 8) * DAY_HOURS);
  });
  const bought = await submit(publisher, sessionId);
  await awaitsApproval(publisher, bought, true);
  await approveAndBegin(publisher, bought);
  await clock.passes(service, 2 * DAY_HOURS);

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "Not for us.", refund: true });

  const { data } = await stripe.refunds.list({ limit: 2 });
  expect(data.map(({ amount }) => Math.round(amount / 1000))).toEqual([5, 7]);
});

it("leaves a subscription alone that another job has claimed while the processor was slow", async () => {
  const publisher = await aPublisher(service);
  const sessionId = await aPurchase(publisher, CARDS.sound, WEEKLY);
  const bought = await submit(publisher, sessionId);
  await isHeld(sessionId);
  const { pool } = service.database;
  const claimedBy = async (claim: string, until: string) => {
    const { rows } = await pool.query(
      `update subscriptions set claim = $1, claimed_until = now() + $2::interval
       where id = (select subscription_id from ads where id = $3) returning id`,
      [claim, until, bought.id],
    );
    return String(rows[0]?.id);
  };
  await jobsDone();
  const id = await claimedBy("held", "1 hour");
  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);
  // The worker has met the claim: one that is only beginning would settle the subscription once the claim is over.
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        "select attempts, locked_at from graphile_worker.jobs where key = $1",
        [`settle-charging:${id}`],
      );
      return rows;
    })
    .toEqual([{ attempts: 1, locked_at: null }]);
  await pool.query("select graphile_worker.remove_job($1)", [`settle-charging:${id}`]);
  await claimedBy("held", "0");
  const { payments } = service.services;
  const slow = {
    ...payments,
    readSubscription: async (...asked: Parameters<typeof payments.readSubscription>) => {
      const read = await payments.readSubscription(...asked);
      await claimedBy("another", "1 hour");
      return read;
    },
  };

  const settling = settleCharging({ ...service.services, payments: slow, sales: { trialDays: null } }, id);

  await expect(settling).rejects.toThrow("is under way");
  expect((await subscriptionOf(sessionId)).metadata.awaitsApproval).toBe("yes");
});

it("keeps a claim for as long as a step takes, while the processor is slow", async () => {
  const publisher = await aPublisher(service);
  const sessionId = await aPurchase(publisher, CARDS.sound, WEEKLY);
  const bought = await submit(publisher, sessionId);
  await isHeld(sessionId);
  const { pool } = service.database;
  const { rows } = await pool.query(
    `update subscriptions set claim = 'slow', claimed_until = now() + interval '1 second'
     where id = (select subscription_id from ads where id = $1) returning workspace_id, id`,
    [bought.id],
  );
  const claim = { workspaceId: rows[0].workspace_id, subscriptionId: rows[0].id, token: "slow" };
  const isHeldLonger = async () =>
    (
      await pool.query(
        "select claimed_until > now() + interval '1 minute' as is_held from subscriptions where id = $1",
        [claim.subscriptionId],
      )
    ).rows[0].is_held;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });

  const working = Promise.withResolvers<void>();
  const step = whileClaimed(service.database.db, claim, async () => await working.promise);
  vi.advanceTimersByTime(30_000);
  const timers = vi.getTimerCount();
  vi.useRealTimers();

  await vi.waitFor(async () => expect(await isHeldLonger()).toBe(true), WITHIN);
  expect(timers).toBe(1);
  working.resolve();
  await step;
});

it("gives the trial that the checkout promised, after the installation's has changed", async () => {
  const publisher = await aPublisher(service);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt: "approval",
  });
  const sessionId = await aPurchase(publisher, CARDS.sound, WEEKLY);
  const bought = await submit(publisher, sessionId);
  const { sales } = service.services;
  Object.assign(sales, { trialDays: null });

  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);

  const { subscription } = await becomes(publisher, bought, "Trialing");
  await awaitsApproval(publisher, bought, false);
  Object.assign(sales, { trialDays: TRIAL_DAYS });
  const days = (Date.parse(subscription.currentPeriodEnd ?? "") - clock.now()) / DAY_MS;
  expect(days).toBeGreaterThan(13);
  expect(await invoicesOf(sessionId)).toEqual([]);
});
