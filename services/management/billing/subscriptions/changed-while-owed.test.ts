import { expect, it, vi } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { changePrice } from "#libs/payments/tests/purchase.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAILY, DAY_HOURS, DAY_MS, paidAds, WITHIN } from "../../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";

/*
 * A publisher moves a subscription that owes a renewal to another price at the processor. Once the invoice of the change is paid, the
 * processor calls the subscription active.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);

/** How often the advertiser was told that the payment failed, and that it went through. */
async function told({ email }: Bought) {
  const subjects = (await mailsTo(service, email)).map(({ subject }) => subject);
  const count = (words: string) => subjects.filter((subject) => subject.endsWith(words)).length;
  return { failed: count("failed"), paid: count("went through") };
}

/** Waits until the invoice of a change has that total and is paid, and the change has been synced. */
async function isChanged(publisher: Publisher, isTotal: (total: number) => boolean) {
  await vi.waitFor(async () => {
    const { items } = await publisher.caller.ok(pageOf(invoice), "GET", `${publisher.path}/invoices`);
    expect(items.filter(({ status, total }) => status === "paid" && isTotal(total))).toHaveLength(1);
  }, WITHIN);
  await ads.jobsDone();
}

async function isEligible({ caller }: Publisher, { path }: Bought): Promise<boolean> {
  return (await caller.ok(eligibility, "GET", `${path}/eligibility`)).eligible;
}

it("keeps a renewal owed where a cheaper price gives money back, and moves the period by the time off the air", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  const { subscription: inGrace } = await becomes(publisher, bought, "PastDue");
  const graceEnd = Date.parse(inGrace.graceEndsAt ?? "");
  await changePrice(stripe, await ads.subscriptionOf(bought), 3500);
  await isChanged(publisher, (total) => total < 0);
  const { status } = await stripe.subscriptions.retrieve(await ads.subscriptionOf(bought));
  const { subscription: changed } = await publisher.caller.ok(ad, "GET", bought.path);

  await clock.passes(service, 2 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  const isShown = await isEligible(publisher, bought);
  await ads.payOpenInvoice(publisher, bought);
  const paidAt = clock.now();
  await ads.isStopped(bought, null);
  const { subscription: paid } = await becomes(publisher, bought, "Active");
  await ads.jobsDone();

  expect(status).toBe("active");
  expect(changed).toMatchObject({ status: "PastDue", graceEndsAt: inGrace.graceEndsAt });
  expect(isShown).toBe(false);
  const moved = Date.parse(paid.currentPeriodEnd ?? "") - Date.parse(inGrace.currentPeriodEnd ?? "");
  expect(Math.abs(moved - (paidAt - graceEnd)) / DAY_MS).toBeLessThan(0.01);
  expect(await told(bought)).toEqual({ failed: 1, paid: 1 });
});

it("keeps a renewal owed where a dearer price is paid by hand", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  await changePrice(stripe, await ads.subscriptionOf(bought), 8400);
  const change = (await ads.invoicesOf(bought)).find(
    ({ billing_reason: of }) => of === "subscription_update",
  );
  const page = new URL(change?.hosted_invoice_url ?? "none").pathname;
  await publisher.caller.request("POST", `${page}/pay`, { card: CARDS.sound });
  await isChanged(publisher, (total) => total === change?.total);

  const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
  expect(subscription).toMatchObject({ status: "PastDue", graceEndsAt: expect.any(String) });
  expect(await told(bought)).toEqual({ failed: 1, paid: 0 });
});

it("gives no week away where the next renewal comes", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 1);
  const id = await ads.subscriptionOf(bought);
  await changePrice(stripe, id, 6000);
  // A further attempt at the renewal makes the subscription past due in the sandbox, but not at Stripe.
  service.processor.pretend(id, { status: "active" });
  await isChanged(publisher, (total) => total < 0);
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  const isShown = await isEligible(publisher, bought);
  await ads.changeCard(publisher, bought);
  await clock.passes(service, 5 * DAY_HOURS + 2);
  await clock.passes(service, DAY_HOURS + 2);
  await ads.isStopped(bought, null);
  await ads.jobsDone();
  service.processor.pretend(id, null);

  expect(isShown).toBe(false);
  const [, second] = await ads.invoicesOf(bought);
  expect(second).toMatchObject({ status: "paid", billing_reason: "subscription_cycle" });
  expect(await told(bought)).toEqual({ failed: 1, paid: 1 });
});

it.each([
  ["a change is paid", "past_due"],
  ["the processor makes it active", "active"],
] as const)(
  "keeps a renewal owed whose grace takes all of its period, where the stop voids the next one and %s",
  async (_what, status) => {
    const publisher = await aPublisher(service);
    const bought = await ads.aRunningAd(publisher, CARDS.failing, DAILY);
    const id = await ads.subscriptionOf(bought);
    await clock.passes(service, DAY_HOURS + 2);
    const { subscription: inGrace } = await becomes(publisher, bought, "PastDue");
    if (status === "past_due") {
      await changePrice(stripe, id, 900);
      await isChanged(publisher, (total) => total < 0);
    } else service.processor.pretend(id, { status });
    expect(inGrace.graceEndsAt).toBe(inGrace.currentPeriodEnd);
    await clock.passes(service, DAY_HOURS - 3);
    await ads.changeCard(publisher, bought);

    await clock.passes(service, 1.2);
    await ads.isStopped(bought, "unpaid");
    await ads.jobsDone();
    service.processor.pretend(id, null);

    const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
    expect(subscription).toMatchObject({
      status: "PastDue",
      stoppedAt: inGrace.graceEndsAt,
      currentPeriodEnd: inGrace.currentPeriodEnd,
    });
    expect((await ads.invoicesOf(bought)).map(({ status: of }) => of)).toContain("open");
    expect(await ads.paymentsOf(bought)).toBe(1);
    expect(await told(bought)).toMatchObject({ paid: 0 });
  },
);
