import { expect, it } from "vitest";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import { type BillingNews, type BillingState, billingNews } from "./billing-changes.ts";

const START = Date.parse("2026-11-01T00:00:00Z");
const END = Date.parse("2026-12-01T00:00:00Z");

function aState(
  status: SubscriptionStatus,
  plan: "runs on" | "at period end" | "at a time" = "runs on",
): BillingState {
  return {
    status,
    cancelAtPeriodEnd: plan === "at period end",
    cancelAt: plan === "at a time" ? END : null,
    canceledAt: plan === "runs on" ? null : START,
    cancellationReason: null,
    currentPeriodEnd: END,
    chargeAt: "purchase",
    awaitsApproval: false,
    isPeriodVoid: false,
    owedInvoice: null,
  };
}

/** Whose period was voided, so that nothing was paid for it. */
function voided(state: BillingState): BillingState {
  return { ...state, isPeriodVoid: true };
}

function owing(owedInvoice: string): BillingState {
  return { ...aState("PastDue"), owedInvoice };
}

/** Whose account was lost, so that it ends with what is paid. Without a plan before, it was planned by the loss. */
function lost(state: BillingState): BillingState {
  const canceledAt = state.canceledAt ?? START + 1000;
  return { ...state, canceledAt, cancelAt: END, cancellationReason: "account_disconnected" };
}

/** As before the first charge of a purchase that is charged at approval. */
function uncharged(state: BillingState): BillingState {
  return { ...state, chargeAt: "approval", awaitsApproval: true };
}

const CONTINUES: BillingNews = { kind: "continues" };
const failed: BillingNews = { kind: "payment failed" };
const paid: BillingNews = { kind: "payment made" };
const ended: BillingNews = { kind: "ended", isPlanned: false, paid: null };
const endedAsPlanned: BillingNews = { kind: "ended", isPlanned: true, paid: null };
const planned: BillingNews = { kind: "canceled", end: { at: new Date(END), isRenewed: false } };

const later: BillingNews = { kind: "canceled", end: { at: new Date(2 * END), isRenewed: true } };

it.each<[string, BillingState, BillingState, BillingNews | BillingNews[] | null]>([
  ["a renewal that is not paid", aState("Active"), aState("PastDue"), failed],
  ["a fixed end after more periods", aState("Active"), { ...aState("Active"), cancelAt: 2 * END }, later],
  ["the same renewal, still not paid", owing("in_1"), owing("in_1"), null],
  ["a late payment whose new period is not paid", owing("in_1"), owing("in_2"), failed],
  [
    "a new period whose charge fails, after one that was written off",
    voided(aState("PastDue")),
    owing("in_2"),
    failed,
  ],
  ["a first charge after a trial", aState("Trialing"), aState("PastDue"), failed],
  ["a processor that gives up at once", aState("Active"), aState("Unpaid"), failed],
  ["a further attempt that fails", aState("PastDue"), aState("PastDue"), null],
  ["a processor that gives up after all", aState("PastDue"), aState("Unpaid"), null],
  ["a payment after all", aState("PastDue"), aState("Active"), paid],
  ["a payment after the processor gave up", aState("Unpaid"), aState("Active"), paid],
  ["a first payment that waits for the bank", aState("Incomplete"), aState("Incomplete"), null],
  ["a checkout that was given up", aState("Incomplete"), aState("IncompleteExpired"), null],
  ["an end that comes unplanned", aState("Active"), aState("Canceled"), ended],
  ["an end after payments have failed", aState("PastDue"), aState("Canceled"), ended],
  ["a plan to end with the period", aState("Active"), aState("Active", "at period end"), planned],
  ["a plan to end at a time", aState("Active"), aState("Active", "at a time"), planned],
  ["a plan that stays", aState("Active", "at period end"), aState("Active", "at period end"), null],
  ["a plan put otherwise", aState("Active", "at period end"), aState("Active", "at a time"), null],
  [
    "a plan for a later time",
    aState("Active", "at period end"),
    { ...aState("Active"), cancelAt: 2 * END },
    later,
  ],
  [
    "a plan for a sooner time",
    { ...aState("Active"), cancelAt: 2 * END },
    aState("Active", "at a time"),
    null,
  ],
  [
    "a later plan with a resumption, whose letter names it",
    aState("Paused", "at a time"),
    { ...aState("Active"), cancelAt: 2 * END },
    { kind: "resumed" },
  ],
  [
    "the end of a voided period before a plan for later",
    voided({ ...aState("PastDue"), cancelAt: 2 * END }),
    { ...aState("PastDue"), cancelAt: 2 * END },
    null,
  ],
  [
    "a plan for later that is dropped in a voided period",
    voided({ ...aState("Active"), cancelAt: 2 * END }),
    voided(aState("Active")),
    CONTINUES,
  ],
  ["a plan that is dropped", aState("Active", "at period end"), aState("Active"), CONTINUES],
  [
    "a plan that is dropped with a pause",
    aState("Active", "at a time"),
    aState("Paused"),
    [CONTINUES, { kind: "paused" }],
  ],
  ["an account that is back", lost(aState("Active")), aState("Active"), null],
  [
    "a plan from before its account was lost",
    lost(aState("Active", "at a time")),
    aState("Active", "at a time"),
    null,
  ],
  [
    "a plan from the time in which its account was lost",
    lost(aState("Active")),
    aState("Active", "at a time"),
    planned,
  ],
  ["an end in the time in which its account was lost", lost(aState("Active")), aState("Canceled"), ended],
  ["an end that was planned", aState("Active", "at period end"), aState("Canceled"), endedAsPlanned],
  ["an overdue invoice that is voided", aState("PastDue"), voided(aState("Active")), null],
  [
    "an overdue invoice that is voided after its period",
    aState("PastDue"),
    uncharged(aState("Active")),
    null,
  ],
  [
    "an overdue invoice that is voided after a cancellation, which ends it at once",
    aState("PastDue", "at period end"),
    voided(aState("Active", "at period end")),
    null,
  ],
  [
    "a plan to end a period that was voided, which ends at once",
    voided(aState("Active")),
    voided(aState("Active", "at period end")),
    null,
  ],
  [
    "a plan to end a voided period that is paused at the processor",
    voided(aState("Paused")),
    voided(aState("Paused", "at period end")),
    planned,
  ],
  [
    "a plan to end what has not been charged, which ends at once",
    uncharged(aState("Trialing")),
    uncharged(aState("Trialing", "at period end")),
    null,
  ],
  [
    "the end of what has not been charged",
    uncharged(aState("Trialing", "at period end")),
    uncharged(aState("Canceled")),
    ended,
  ],
  [
    "a plan to end that is learned of with a pause",
    aState("Active"),
    aState("Paused", "at period end"),
    [planned, { kind: "paused" }],
  ],
  ["the end of a pause with a payment owed", aState("Paused"), aState("PastDue"), failed],
  ["what comes after the end", aState("Canceled"), aState("Canceled", "at a time"), null],
  ["a pause", aState("Active"), aState("Paused"), { kind: "paused" }],
  ["a pause that stays", aState("Paused"), aState("Paused"), null],
  ["the end of a pause", aState("Paused"), aState("Active"), { kind: "resumed" }],
  ["the end of a pause inside the trial", aState("Paused"), aState("Trialing"), { kind: "resumed" }],
  ["a plan to end during a pause", aState("Paused"), aState("Paused", "at period end"), planned],
  ["the first payment", aState("Incomplete"), aState("Active"), null],
  ["the end of a trial", aState("Trialing"), aState("Active"), null],
])("makes of %s what it is", (_what, before, after, news) => {
  const endedAt = after.status === "Canceled" ? END : null;
  const isPaid = after.status === "Active" && !after.isPeriodVoid && !after.awaitsApproval;
  const now = { ...after, endedAt, paidAmount: isPaid ? 7000 : null };
  expect(billingNews(before, now)).toEqual([news ?? []].flat());
});

it("does not take an end for the planned one that comes before its time", () => {
  const before = aState("PastDue", "at a time");
  const after = { ...aState("Canceled"), paidAmount: null };

  expect(billingNews(before, { ...after, endedAt: END - 1000 })).toEqual([ended]);
  expect(billingNews(before, { ...after, endedAt: END })).toEqual([endedAsPlanned]);
});

it("tells with an end of the payment that came with it", () => {
  const after = { ...aState("Canceled"), endedAt: END, paidAmount: 7000 };

  expect(billingNews(aState("PastDue"), after)).toEqual([{ ...ended, paid: 7000 }]);
  expect(billingNews(aState("Active"), after)).toEqual([ended]);
});
