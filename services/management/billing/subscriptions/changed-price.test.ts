import { expect, it, vi } from "vitest";
import { type Ad, ad, adInList, eligibility } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { changePrice } from "#libs/payments/tests/purchase.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAY_HOURS, DAY_MS, paidAds, WITHIN } from "../../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import type { Publisher } from "../../tests/story.ts";

/*
 * Publishers move a subscription to another price at the processor, which makes an invoice that sells no period.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);

/** An ad in the third day of its week, whose price has just become dearer: 9.00 for the rest of the week. */
async function aChangedAd(card: string) {
  const { publisher, bought } = await ads.aWeeklyAd(card);
  await ads.graceOf(publisher, 3);
  await clock.passes(service, 2 * DAY_HOURS);
  const { subscription: before } = await publisher.caller.ok(ad, "GET", bought.path);
  await changePrice(stripe, await ads.subscriptionOf(bought), 8260);
  await isMirrored(publisher, 2);
  await ads.jobsDone();
  return { publisher, bought, before };
}

/** Waits until a publisher's list has as many invoices, oldest first. */
async function isMirrored({ caller, path }: Publisher, count: number) {
  return await vi.waitFor(async () => {
    const { items } = await caller.ok(pageOf(invoice), "GET", `${path}/invoices`);
    expect(items).toHaveLength(count);
    return items.toReversed();
  }, WITHIN);
}

async function ofTheChange(bought: Bought) {
  const found = (await ads.invoicesOf(bought)).find(({ total }) => total === 900);
  if (found?.id === undefined) throw new Error("Nothing was invoiced.");
  return { ...found, id: found.id };
}

/** Waits until the subscription has been synced, and is on the air in that period, for which 70.00 were paid. */
async function runs(
  publisher: Publisher,
  bought: Bought,
  { currentPeriodStart, currentPeriodEnd }: Ad["subscription"],
): Promise<void> {
  await ads.jobsDone();
  await ads.isOnAir(publisher, bought, true);
  const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
  const period = { currentPeriodStart, currentPeriodEnd, paidAmount: 7000 };
  expect(subscription).toMatchObject({ status: "Active", stoppedAt: null, ...period });
}

it("keeps an ad in its paid period where the charge of a change of its price fails, and is paid later", async () => {
  const { publisher, bought, before } = await aChangedAd(CARDS.failing);
  const { status } = await stripe.subscriptions.retrieve(await ads.subscriptionOf(bought));
  expect(status).toBe("past_due");
  await runs(publisher, bought, before);
  await clock.passes(service, DAY_HOURS);
  await runs(publisher, bought, before);

  await ads.payOpenInvoice(publisher, bought);
  await vi.waitFor(async () => expect(await ads.statusesOf(bought)).toEqual(["paid", "paid"]), WITHIN);

  await runs(publisher, bought, before);
  expect(await ads.paymentsOf(bought)).toBe(2);
  expect((await ofTheChange(bought)).status).toBe("paid");
});

it("begins no period where the declined invoice of a change is voided at the processor", async () => {
  const { publisher, bought, before } = await aChangedAd(CARDS.failing);
  await ads.changeCard(publisher, bought);

  await stripe.invoices.voidInvoice((await ofTheChange(bought)).id);
  await vi.waitFor(async () => {
    const { items } = await publisher.caller.ok(pageOf(invoice), "GET", `${publisher.path}/invoices`);
    expect(items.map(({ status }) => status)).toContain("void");
  }, WITHIN);

  await runs(publisher, bought, before);
  expect(await ads.statusesOf(bought)).toEqual(["paid", "void"]);
});

it.each(["open", "void"] as const)(
  "continues a paused period and leaves alone the invoice of a change that is %s",
  async (status) => {
    const { publisher, bought, before } = await aChangedAd(CARDS.failing);
    const { id } = await ofTheChange(bought);
    if (status === "void") await stripe.invoices.voidInvoice(id);
    else await stripe.invoices.update(id, { auto_advance: false });
    await ads.changeCard(publisher, bought);
    await ads.jobsDone();
    await ads.act(publisher, bought, "pause");
    await clock.passes(service, DAY_HOURS);

    const { subscription } = await ads.act(publisher, bought, "resume");

    expect(subscription).toMatchObject({ status: "Active", paidAmount: 7000 });
    const moved = Date.parse(subscription.currentPeriodEnd ?? "") - Date.parse(before.currentPeriodEnd ?? "");
    expect(Math.abs(moved - DAY_MS)).toBeLessThan(60_000);
    await ads.jobsDone();
    await ads.isOnAir(publisher, bought, true);
    expect(await ads.statusesOf(bought)).toEqual(["paid", status]);
  },
);

it("keeps the invoice of a change through a renewal that fails, is stopped and paid", async () => {
  const { publisher, bought } = await aChangedAd(CARDS.failing);
  await clock.passes(service, 5 * DAY_HOURS + 0.5);
  await ads.jobsDone();
  // The renewal is a draft still.
  await becomes(publisher, bought, "Active");
  await ads.isOnAir(publisher, bought, true);
  await clock.passes(service, 1);
  const { subscription } = await becomes(publisher, bought, "PastDue");
  const served = await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`);
  expect(served).toMatchObject({ eligible: true, graceEndsAt: expect.any(String) });
  await clock.passes(service, 3 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  await ads.jobsDone();
  expect(await ads.statusesOf(bought)).toEqual(["paid", "open", "open"]);

  const renewal = (await ads.invoicesOf(bought)).at(-1);
  expect(renewal?.total).toBe(8260);
  const page = new URL(renewal?.hosted_invoice_url ?? "none").pathname;
  await publisher.caller.request("POST", `${page}/pay`, { card: CARDS.sound });

  await ads.isStopped(bought, null);
  await becomes(publisher, bought, "Active");
  await ads.isOnAir(publisher, bought, true);
  expect(await ads.statusesOf(bought)).toEqual(["paid", "open", "paid"]);
  const { subscription: later } = await publisher.caller.ok(ad, "GET", bought.path);
  expect(Date.parse(later.currentPeriodEnd ?? "")).toBeGreaterThanOrEqual(
    Date.parse(subscription.currentPeriodEnd ?? ""),
  );
});

it("refunds with a rejection the rest of the period and nothing of a change that was paid", async () => {
  const { publisher, bought, before } = await aChangedAd(CARDS.sound);
  await runs(publisher, bought, before);
  await clock.passes(service, DAY_HOURS);

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: true });
  await ads.jobsDone();

  const [period, change] = await isMirrored(publisher, 2);
  expect(change).toMatchObject({ amountPaid: 900, amountRefunded: 0 });
  // Four of seven days.
  expect(Math.abs((period?.amountRefunded ?? 0) - 4000)).toBeLessThanOrEqual(1);
});

it("shows, pauses, resumes and rejects an ad whose week a credit above its price has paid", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await changePrice(stripe, await ads.subscriptionOf(bought), 100, "with renewal");
  await clock.passes(service, 7 * DAY_HOURS + 2);
  const [, renewal] = await isMirrored(publisher, 2);
  await ads.jobsDone();
  expect(renewal?.total).toBeLessThan(0);
  const { items } = await publisher.caller.ok(pageOf(adInList), "GET", `${publisher.path}/ads`);
  expect(items.map(({ subscription }) => subscription.paidAmount)).toEqual([0]);
  const end = Date.parse(items[0]?.subscription.currentPeriodEnd ?? "");

  await ads.act(publisher, bought, "pause");
  await clock.passes(service, 3 * DAY_HOURS);
  const { subscription } = await ads.act(publisher, bought, "resume");

  const moved = Date.parse(subscription.currentPeriodEnd ?? "") - end;
  expect(Math.abs(moved - 3 * DAY_MS)).toBeLessThan(60_000);
  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: true });
  await ads.jobsDone();
  const refunded = (await isMirrored(publisher, 3)).map(({ amountRefunded }) => amountRefunded);
  expect(refunded).toEqual([0, 0, 0]);
});

it("tells the publisher of a subscription that ends in a pause what a rejection refunds, with a credit as well", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 2 * DAY_HOURS);
  await changePrice(stripe, await ads.subscriptionOf(bought), 5600);
  await clock.passes(service, 5 * DAY_HOURS + 2);
  // 10.00 were given back.
  const renewal = (await isMirrored(publisher, 3)).at(-1);
  expect(renewal).toMatchObject({ total: 5600, amountPaid: 4600 });
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();

  await stripe.subscriptions.cancel(await ads.subscriptionOf(bought));

  const told = await ads.letter(publisher.person.email, "has ended");
  const [, unused] = /\$(\d+\.\d\d) of the last payment is unused/.exec(told) ?? [];
  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: true });
  await ads.jobsDone();
  const refunded = (await isMirrored(publisher, 3)).at(-1)?.amountRefunded ?? 0;
  expect(refunded).toBeGreaterThan(0);
  expect(Number(unused) * 100).toBeCloseTo(refunded, 3);
});
