import { afterEach, expect, vi } from "vitest";
import { type Ad, ad, eligibility } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import type { ManagementUnderTest } from "./management.ts";
import { aBoughtAd, approveForCharging, becomes, CARDS, type sandboxClock } from "./sandbox-clock.ts";
import { aPublisher, type Publisher } from "./story.ts";

export const DAY_HOURS = 24;
export const DAY_MS = 86_400_000;
/** How long to wait for what the processor, its webhooks and the jobs bring, while other tests run. */
export const WITHIN = { timeout: 60_000, interval: 50 };
/** A tier that is sold by the week. */
export const WEEKLY = {
  initialPrices: [{ amount: 7000, intervalCount: 1, interval: "Week", currency: "usd" }],
};
/** A tier that is sold by the day. */
export const DAILY = {
  initialPrices: [{ amount: 1000, intervalCount: 1, interval: "Day", currency: "usd" }],
};

type Clock = ReturnType<typeof sandboxClock>;
export type Bought = Awaited<ReturnType<typeof aBoughtAd>>;

/** Ads of a service that were bought with a card, with what a publisher, a buyer and the processor do about their payment. */
export function paidAds(service: ManagementUnderTest) {
  const { stripe } = service.processor;
  const running: Bought[] = [];

  // Whenever a later test lets time pass, the processor renews what earlier ones have left, each with a dozen messages.
  afterEach(async () => {
    for (const bought of running.splice(0)) {
      const subscription = await stripe.subscriptions.retrieve(await subscriptionOf(bought));
      if (subscription.status !== "canceled") await stripe.subscriptions.cancel(subscription.id);
    }
  });

  /** An approved ad whose first period was paid. */
  async function aRunningAd(publisher: Publisher, card: string, tierChanges = {}): Promise<Bought> {
    const bought = await aBoughtAd(service, publisher, card, tierChanges);
    running.push(bought);
    await approveForCharging(publisher, bought);
    return bought;
  }

  async function act({ caller }: Publisher, { path }: Bought, what: "pause" | "resume"): Promise<Ad> {
    return await caller.ok(ad, "POST", `${path}/${what}`);
  }

  /** Sets how many days a failed renewal leaves ads on the air. */
  async function graceOf({ caller, path }: Publisher, renewalGraceDays: number): Promise<void> {
    await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { renewalGraceDays });
  }

  /** A running ad that a new publisher sells by the week. */
  async function aWeeklyAd(card: string = CARDS.sound) {
    const publisher = await aPublisher(service);
    return { publisher, bought: await aRunningAd(publisher, card, WEEKLY) };
  }

  /** The same in the grace of its second week, which is not paid. */
  async function aWeeklyAdInGrace(clock: Clock, graceDays?: number) {
    const publisher = await aPublisher(service);
    if (graceDays !== undefined) await graceOf(publisher, graceDays);
    const bought = await aRunningAd(publisher, CARDS.failing, WEEKLY);
    await clock.passes(service, 7 * DAY_HOURS + 2);
    await becomes(publisher, bought, "PastDue");
    await jobsDone();
    return { publisher, bought };
  }

  /** Waits until the ad is on the air, or off it. */
  async function isOnAir({ caller }: Publisher, { path }: Bought, isIt: boolean): Promise<void> {
    await vi.waitFor(async () => {
      expect((await caller.ok(eligibility, "GET", `${path}/eligibility`)).eligible).toBe(isIt);
    }, WITHIN);
  }

  /** Waits until the processor has written why the time of the ad's period stands still. */
  async function isStopped(bought: Bought, reason: "unpaid" | null): Promise<void> {
    await vi.waitFor(async () => {
      const { stop_reason } = await service.database.db
        .selectFrom("subscriptions")
        .innerJoin("ads", "ads.subscription_id", "subscriptions.id")
        .where("ads.id", "=", bought.id)
        .select("stop_reason")
        .executeTakeFirstOrThrow();
      expect(stop_reason).toBe(reason);
    }, WITHIN);
  }

  async function subscriptionOf({ sessionId }: Bought): Promise<string> {
    const { subscription } = await stripe.checkout.sessions.retrieve(sessionId);
    return String(subscription);
  }

  /** The ad's invoices of more than nothing at the processor, oldest first. */
  async function invoicesOf(bought: Bought) {
    const { data } = await stripe.invoices.list({ subscription: await subscriptionOf(bought), limit: 100 });
    return data.filter(({ total }) => total > 0).toReversed();
  }

  async function statusesOf(bought: Bought) {
    return (await invoicesOf(bought)).map(({ status }) => status);
  }

  /** How many of the ad's invoices are paid. */
  async function paymentsOf(bought: Bought): Promise<number> {
    return (await statusesOf(bought)).filter((status) => status === "paid").length;
  }

  async function payOpenInvoice(
    { caller }: Publisher,
    bought: Bought,
    card: string = CARDS.sound,
  ): Promise<void> {
    const open = (await invoicesOf(bought)).find(({ status }) => status === "open");
    const page = new URL(open?.hosted_invoice_url ?? "none").pathname;
    const paid = await caller.request("POST", `${page}/pay`, { card });
    expect(paid.status).toBe(200);
  }

  /** The customer's next automatic charges succeed. */
  async function changeCard(
    { caller }: Publisher,
    bought: Bought,
    card: string = CARDS.sound,
  ): Promise<void> {
    const { customer } = await stripe.subscriptions.retrieve(await subscriptionOf(bought));
    const { url } = await stripe.billingPortal.sessions.create({ customer: String(customer) });
    await caller.request("POST", `${new URL(url).pathname}/card`, { card });
  }

  /** The sandbox's portal cancels as Stripe's does with flexible billing: by a fixed time, the end of the period. */
  async function cancelInPortal({ caller }: Publisher, bought: Bought): Promise<void> {
    const id = await subscriptionOf(bought);
    const { customer } = await stripe.subscriptions.retrieve(id);
    const { url } = await stripe.billingPortal.sessions.create({ customer: String(customer) });
    const page = `${new URL(url).pathname}/subscriptions/${id}/cancel`;
    const { status } = await caller.request("POST", page, { feedback: "unused" });
    expect(status).toBe(200);
  }

  /** No webhook arrives while `work` runs, and none of it later. */
  async function withoutWebhooks(work: () => Promise<void>): Promise<void> {
    service.deliverWebhooksTo("http://127.0.0.1:9/");
    try {
      await work();
    } finally {
      service.deliverWebhooksTo(`${service.origin}/v1/webhooks/stripe`);
    }
  }

  /** Waits until no background job is due. */
  async function jobsDone(): Promise<void> {
    await vi.waitFor(async () => {
      const { rows } = await service.database.pool.query(
        "select task_identifier, last_error from graphile_worker.jobs where run_at <= now() and attempts < 3",
      );
      expect(rows).toEqual([]);
    }, WITHIN);
  }

  /** The text of the first email to an address with that in its subject, once it has come. */
  async function letter(to: string, about: string): Promise<string> {
    return await vi.waitFor(async () => {
      const found = (await mailsTo(service, to)).find(({ subject }) => subject.includes(about));
      expect(found?.text).toBeTypeOf("string");
      return found?.text ?? "";
    }, WITHIN);
  }

  return {
    aRunningAd,
    aWeeklyAd,
    aWeeklyAdInGrace,
    letter,
    act,
    graceOf,
    isOnAir,
    isStopped,
    subscriptionOf,
    invoicesOf,
    statusesOf,
    paymentsOf,
    withoutWebhooks,
    payOpenInvoice,
    cancelInPortal,
    changeCard,
    jobsDone,
  };
}
