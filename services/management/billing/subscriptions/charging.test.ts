import { expect, it, onTestFinished, vi } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { revenue } from "#libs/contract/revenue.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, paidAds, WITHIN } from "../../tests/paid-ads.ts";
import {
  aBoughtAd,
  awaitsApproval,
  becomes,
  CARDS,
  openCheckout,
  sandboxClock,
} from "../../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";
import { queueReconciliation } from "../reconciliation/runs.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const { invoicesOf, payOpenInvoice } = paidAds(service);

/** With the hour for which the invoice of a renewal stays a draft. */
const MONTH_HOURS = 31 * 24 + 2;

async function aPublisherWhoCharges(chargeAt: "purchase" | "approval"): Promise<Publisher> {
  const publisher = await aPublisher(service);
  await charges(publisher, chargeAt);
  return publisher;
}

async function charges({ caller, path }: Publisher, chargeAt: "purchase" | "approval"): Promise<void> {
  await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { chargeAt });
}

async function approve({ caller }: Publisher, { path }: { readonly path: string }) {
  return await caller.ok(ad, "POST", `${path}/approve`);
}

/** What the processor was paid for the ad, oldest first. */
async function paidAtProcessor(bought: Bought): Promise<number[]> {
  const paid = (await invoicesOf(bought)).filter(({ status }) => status === "paid");
  return paid.map(({ amount_paid }) => amount_paid);
}

/** Waits until the ledger has these payments and no others, as the processor has. */
async function hasPaid({ caller, path }: Publisher, bought: Bought, amounts: number[]) {
  expect(await paidAtProcessor(bought)).toEqual(amounts);
  await vi.waitFor(async () => {
    const { items } = await caller.ok(pageOf(invoice), "GET", `${path}/invoices?perPage=100`);
    const paid = items.map(({ amountPaid }) => amountPaid).filter((amount) => amount > 0);
    expect(paid).toEqual(amounts);
  }, WITHIN);
  const { currencies } = await caller.ok(revenue, "GET", `${path}/revenue?months=12`);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  expect(currencies.reduce((sum, { totals }) => sum + totals.gross, 0)).toBe(total);
}

/** Waits until a charge that waited for the approval was made. */
async function hasBegunAPeriod({ caller }: Publisher, { path }: { readonly path: string }) {
  return await vi.waitFor(async () => {
    const { subscription } = await caller.ok(ad, "GET", path);
    expect(subscription).toMatchObject({ status: "Active", awaitsApproval: false, awaitsCharge: false });
    return subscription;
  }, WITHIN);
}

/** The mails to somebody whose subject has the word. */
async function mailsAbout(word: string, email: string) {
  return (await mailsTo(service, email)).filter(({ subject }) => subject.includes(word));
}

it("takes one payment for an ad that waits three months for its approval, and begins a period that it charges then", async () => {
  const publisher = await aPublisherWhoCharges("purchase");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  await awaitsApproval(publisher, bought, true);

  for (const _month of [1, 2, 3]) await clock.passes(service, MONTH_HOURS);
  await hasPaid(publisher, bought, [4900]);
  await vi.waitFor(async () => {
    const { subscription } = await becomes(publisher, bought, "Active");
    expect(subscription).toMatchObject({ awaitsApproval: true, awaitsCharge: true });
  }, WITHIN);

  const approved = await approve(publisher, bought);
  expect(approved.subscription.awaitsCharge).toBe(true);
  const charged = await hasBegunAPeriod(publisher, bought);
  expect(Math.abs(Date.parse(charged.currentPeriodStart ?? "") - clock.now())).toBeLessThan(60_000);
  expect((await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`)).eligible).toBe(true);
  await hasPaid(publisher, bought, [4900, 4900]);
  await clock.passes(service, MONTH_HOURS);
  await hasPaid(publisher, bought, [4900, 4900, 4900]);
});

it("only ends the hold when an ad is approved in the period that was paid at its purchase", async () => {
  const publisher = await aPublisherWhoCharges("purchase");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  await awaitsApproval(publisher, bought, true);
  const { subscription: before } = await becomes(publisher, bought, "Active");
  await clock.passes(service, 24 * 20);

  const approved = await approve(publisher, bought);
  await awaitsApproval(publisher, bought, false);
  const { subscription: after } = await becomes(publisher, bought, "Active");

  expect(approved.subscription.awaitsCharge).toBe(false);
  expect(after.currentPeriodEnd).toBe(before.currentPeriodEnd);
  await hasPaid(publisher, bought, [4900]);
});

it("keeps an ad off the air whose charge fails at a late approval, and serves it for a whole period once it is paid", async () => {
  const publisher = await aPublisherWhoCharges("purchase");
  const bought = await aBoughtAd(service, publisher, CARDS.failing);
  await awaitsApproval(publisher, bought, true);
  await clock.passes(service, MONTH_HOURS);
  await becomes(publisher, bought, "Active");

  await approve(publisher, bought);
  const unpaid = await becomes(publisher, bought, "PastDue");
  expect(unpaid.subscription.graceEndsAt).toBeNull();
  await vi.waitFor(async () => {
    expect(await mailsAbout("failed", bought.email)).toHaveLength(1);
    expect(await mailsAbout("failed", publisher.person.email)).toHaveLength(1);
  }, WITHIN);
  expect((await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`)).eligible).toBe(false);

  await clock.passes(service, 24 * 2);
  await payOpenInvoice(publisher, bought);
  const { subscription } = await becomes(publisher, bought, "Active");
  expect(Math.abs(Date.parse(subscription.currentPeriodStart ?? "") - clock.now())).toBeLessThan(60_000);
  expect((await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`)).eligible).toBe(true);
  await hasPaid(publisher, bought, [4900, 4900]);
});

it("begins and charges one period at a late approval whose answers are lost", async () => {
  const publisher = await aPublisherWhoCharges("purchase");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  await awaitsApproval(publisher, bought, true);
  await clock.passes(service, MONTH_HOURS);
  await becomes(publisher, bought, "Active");

  service.processor.loseAnswerToWrite(1);
  await approve(publisher, bought);

  await hasBegunAPeriod(publisher, bought);
  await hasPaid(publisher, bought, [4900, 4900]);
});

it("pauses and resumes an approved ad as before, without holding its renewals again", async () => {
  const publisher = await aPublisherWhoCharges("purchase");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  await awaitsApproval(publisher, bought, true);
  await approve(publisher, bought);
  await awaitsApproval(publisher, bought, false);

  const paused = await publisher.caller.ok(ad, "POST", `${bought.path}/pause`);
  const resumed = await publisher.caller.ok(ad, "POST", `${bought.path}/resume`);

  expect(paused.subscription).toMatchObject({ status: "Paused", awaitsApproval: false });
  expect(resumed.subscription).toMatchObject({ status: "Active", awaitsApproval: false });
  await clock.passes(service, MONTH_HOURS);
  await hasPaid(publisher, bought, [4900, 4900]);
});

it("charges for an ad that is charged at approval when it is approved, and each month from then on", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  for (const _month of [1, 2, 3]) await clock.passes(service, MONTH_HOURS);
  await hasPaid(publisher, bought, []);
  expect((await becomes(publisher, bought, "Trialing")).subscription).toMatchObject({
    chargeAt: "approval",
    awaitsApproval: true,
  });

  await approve(publisher, bought);
  const { subscription } = await becomes(publisher, bought, "Active");
  const begun = Date.parse(subscription.currentPeriodStart ?? "");
  expect(Math.abs(begun - clock.now())).toBeLessThan(60_000);
  expect((await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`)).eligible).toBe(true);
  await hasPaid(publisher, bought, [4900]);
  for (const _month of [1, 2, 3]) await clock.passes(service, MONTH_HOURS);
  await hasPaid(publisher, bought, [4900, 4900, 4900, 4900]);
});

it("keeps an approved ad off the air whose first charge fails, tells both, and serves it once it is paid", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const bought = await aBoughtAd(service, publisher, CARDS.failing);
  await approve(publisher, bought);

  const unpaid = await becomes(publisher, bought, "PastDue");
  const [approved] = await mailsAbout("approved", bought.email);
  expect(approved?.text).toContain("goes live once any first payment has gone through");
  expect(approved?.text).not.toContain("It's live");
  expect(unpaid).toMatchObject({ status: "Approved", subscription: { graceEndsAt: null } });
  expect(await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`)).toMatchObject({
    eligible: false,
    reasons: [{ code: "SUBSCRIPTION_PAST_DUE" }],
    servingSince: null,
  });
  await vi.waitFor(async () => {
    const failed = (await service.readMails()).filter(({ subject }) => subject.includes("failed"));
    const readers = failed.map(({ to }) => to);
    expect(readers).toContain(bought.email);
    expect(readers).toContain(publisher.person.email);
  }, WITHIN);

  const [open] = (await stripe.invoices.list({ status: "open", limit: 1 })).data;
  const page = new URL(open?.hosted_invoice_url ?? "none").pathname;
  await publisher.caller.request("POST", `${page}/pay`, { card: CARDS.sound });
  await becomes(publisher, bought, "Active");
  expect((await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`)).eligible).toBe(true);
});

it("ends a purchase that is charged at approval without any charge where the ad is rejected", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "Not for our readers." });
  await clock.passes(service, MONTH_HOURS);

  await becomes(publisher, bought, "Canceled");
  await hasPaid(publisher, bought, []);
});

it("applies a change of the setting to new purchases only", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const before = await aBoughtAd(service, publisher, CARDS.sound);
  await charges(publisher, "purchase");
  const after = await aBoughtAd(service, publisher, CARDS.sound);

  expect((await becomes(publisher, before, "Trialing")).subscription.chargeAt).toBe("approval");
  expect((await becomes(publisher, after, "Active")).subscription.chargeAt).toBe("purchase");
  expect(await paidAtProcessor(before)).toEqual([]);
  expect(await paidAtProcessor(after)).toEqual([4900]);
});

it("gives up a saved card a month before the processor would charge it, where the ad was never approved", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);

  await clock.passes(service, 690 * 24);
  await queueReconciliation(service.database.db);
  expect((await becomes(publisher, bought, "Trialing")).subscription.awaitsApproval).toBe(true);
  await clock.passes(service, 15 * 24);
  await queueReconciliation(service.database.db);
  await becomes(publisher, bought, "Canceled");
  await clock.passes(service, 60 * 24);

  await hasPaid(publisher, bought, []);
});

it("says on the checkout page that nothing is due today, and that the card is charged after the approval", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const { url } = await openCheckout(service, publisher);

  const { text } = await new ApiCaller(service.origin).request("GET", new URL(url).pathname);

  expect(text).toMatch(/Due today.*\$0\.00/);
  expect(text).toContain("charged once your ad is approved");
});

it("charges once although the processor's answers are lost while an ad is approved", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);

  service.processor.loseAnswerToWrite(1);
  await approve(publisher, bought);

  await becomes(publisher, bought, "Active");
  await hasPaid(publisher, bought, [4900]);
});

it("never charges an advertiser who cancels before the approval, and tells both once that it has ended", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  const { subscription } = await stripe.checkout.sessions.retrieve(bought.sessionId);

  await stripe.subscriptions.update(String(subscription), {
    cancel_at_period_end: true,
    cancellation_details: { comment: "Changed our minds." },
  });
  await becomes(publisher, bought, "Canceled");
  await approve(publisher, bought);
  await clock.passes(service, MONTH_HOURS);

  await hasPaid(publisher, bought, []);
  const [toBuyer, ...more] = await mailsAbout("subscription", bought.email);
  expect(toBuyer?.subject).toContain("has ended");
  expect(toBuyer?.text).toContain("was canceled before its first charge and has ended.");
  expect(toBuyer?.text).toContain("You won't be charged.");
  expect(more).toEqual([]);
  const toPublisher = await mailsAbout("subscription has ended", publisher.person.email);
  expect(toPublisher).toHaveLength(1);
  expect(toPublisher[0]?.text).toContain("Changed our minds.");
});

it("does not charge an advertiser whose cancellation is not known here yet when the ad is approved", async () => {
  const publisher = await aPublisherWhoCharges("approval");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  const { subscription } = await stripe.checkout.sessions.retrieve(bought.sessionId);
  service.deliverWebhooksTo("http://127.0.0.1:9/");
  onTestFinished(() => service.deliverWebhooksTo(`${service.origin}/v1/webhooks/stripe`));

  await stripe.subscriptions.update(String(subscription), { cancel_at_period_end: true });
  await approve(publisher, bought);

  await becomes(publisher, bought, "Canceled");
  await hasPaid(publisher, bought, []);
});

it("ends a purchase whose advertiser cancels in a period that was voided before the approval, and never charges it again", async () => {
  const publisher = await aPublisherWhoCharges("purchase");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  await awaitsApproval(publisher, bought, true);
  await clock.passes(service, MONTH_HOURS + 2 * 24);
  const { subscription } = await stripe.checkout.sessions.retrieve(bought.sessionId);
  service.deliverWebhooksTo("http://127.0.0.1:9/");
  onTestFinished(() => service.deliverWebhooksTo(`${service.origin}/v1/webhooks/stripe`));

  await stripe.subscriptions.update(String(subscription), { cancel_at_period_end: true });
  await approve(publisher, bought);

  await becomes(publisher, bought, "Canceled");
  await hasPaid(publisher, bought, [4900]);
});

it("tells an advertiser who cancels in a voided period once that it has ended, and nothing of an ad that was never shown", async () => {
  const publisher = await aPublisherWhoCharges("purchase");
  const bought = await aBoughtAd(service, publisher, CARDS.sound);
  await awaitsApproval(publisher, bought, true);
  await clock.passes(service, MONTH_HOURS + 2 * 24);
  const { subscription } = await stripe.checkout.sessions.retrieve(bought.sessionId);

  await stripe.subscriptions.update(String(subscription), { cancel_at_period_end: true });

  await becomes(publisher, bought, "Canceled");
  const [told, ...more] = await mailsAbout("subscription", bought.email);
  expect(told?.subject).toContain("has ended");
  expect(told?.text).toContain("You won't be charged again.");
  expect(told?.text).not.toContain("no longer shown");
  expect(more).toEqual([]);
});
