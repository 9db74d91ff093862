import { expect, it } from "vitest";
import { movedPeriods, rejectionRefund } from "#libs/domain/rejection-refund.ts";
import { paymentsOn, send } from "./tests/fake-stripe.ts";

/*
 * What the sandbox does not do: an invoice of something else is declined in a period that was moved, which is a trial at the processor, and
 * a subscription that owes a renewal is active because of an invoice of something else.
 */

const DAY = 86_400;
const START = 1_795_258_000;
const END = START + 9 * DAY;

function aLine(amount: number, proration: boolean) {
  return { amount, parent: { subscription_item_details: { proration } }, period: { start: START, end: END } };
}

interface Said {
  readonly period?: { readonly start: number; readonly end: number };
  readonly billing_reason?: string;
  readonly period_end?: number;
  readonly attempt_count?: number;
  readonly amount_paid?: number;
}

function anInvoice(
  id: string,
  status: "paid" | "open" | "draft" | "void" | "uncollectible",
  isOfPeriod: boolean,
  { period = { start: START, end: END }, ...said }: Said = {},
) {
  return {
    id,
    object: "invoice",
    status,
    customer: "cus_1",
    billing_reason: isOfPeriod ? "subscription_update" : "manual",
    attempt_count: 1,
    parent: { type: "subscription_details", subscription_details: { subscription: "sub_1", metadata: {} } },
    number: null,
    currency: "eur",
    total: isOfPeriod ? 0 : 900,
    amount_paid: 0,
    amount_due: isOfPeriod ? 0 : 900,
    created: START,
    status_transitions: { paid_at: null, finalized_at: START },
    period_start: START,
    period_end: START,
    lines: { object: "list", data: [{ ...aLine(isOfPeriod ? 4900 : 900, !isOfPeriod), period }] },
    ...said,
  };
}

/** What the payments read of a subscription with these invoices, the newest first. */
async function read(said: object, invoices: readonly object[]) {
  const price = { id: "price_1", unit_amount: 4900 };
  const subscription = {
    id: "sub_1",
    object: "subscription",
    created: START - 5 * DAY,
    customer: "cus_1",
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_details: null,
    trial_end: null,
    pause_collection: null,
    items: { data: [{ price, current_period_start: START, current_period_end: END }] },
    latest_invoice: invoices[0],
    metadata: {},
    ...said,
  };
  const { payments } = await paymentsOn((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const status = url.searchParams.get("status");
    const data = invoices.filter((one) => status === null || ("status" in one && one.status === status));
    const list = { object: "list", data, has_more: false };
    send(response, 200, JSON.stringify(url.pathname.endsWith("/invoices") ? list : subscription));
  });
  return await payments.readSubscription("sub_1", null);
}

it("keeps the period that was moved where an invoice of something else has made the subscription overdue", async () => {
  const invoices = [anInvoice("in_3", "open", false), anInvoice("in_2", "paid", true)];
  const metadata = { period: `${START - 2 * DAY} ${END} in_1 4900` };

  const subscription = await read({ status: "past_due", trial_end: END, metadata }, invoices);

  expect(subscription).toMatchObject({
    status: "Active",
    currentPeriodStart: (START - 2 * DAY) * 1000,
    currentPeriodEnd: END * 1000,
    periodInvoiceId: "in_1",
    paidAmount: 4900,
    trialEnd: null,
    owed: null,
  });
});

it("keeps the period that was moved where what a change had left is declined with the move", async () => {
  const lines = [aLine(0, false), aLine(900, true)];
  const moved = { ...anInvoice("in_2", "open", true), total: 900, amount_due: 900, lines: { data: lines } };
  const metadata = { period: `${START - 2 * DAY} ${END} in_1 4900` };

  const subscription = await read({ status: "past_due", trial_end: END, metadata }, [moved]);

  expect(subscription).toMatchObject({
    status: "Active",
    currentPeriodStart: (START - 2 * DAY) * 1000,
    periodInvoiceId: "in_1",
    paidAmount: 4900,
    owed: null,
  });
});

const NEXT = { period: { start: END, end: END + 9 * DAY }, attempt_count: 0 };

it.each([
  ["an invoice of something else is paid", [anInvoice("in_3", "paid", false)]],
  ["the next renewal is a draft", [anInvoice("in_4", "draft", true, NEXT), anInvoice("in_3", "paid", false)]],
  ["the next renewal is void", [anInvoice("in_4", "void", true, NEXT)]],
  ["the next renewal is uncollectible", [anInvoice("in_4", "uncollectible", true, NEXT)]],
  ["the next renewal is being charged", [anInvoice("in_4", "open", true, NEXT)]],
])("keeps a renewal owed where %s", async (_what, newer) => {
  const owed = anInvoice("in_2", "open", true, { billing_reason: "subscription_cycle" });
  const first = anInvoice("in_1", "paid", true, { amount_paid: 4900 });

  const subscription = await read({ status: "active" }, [...newer, owed, first]);

  expect(subscription).toMatchObject({
    status: "PastDue",
    currentPeriodStart: START * 1000,
    currentPeriodEnd: END * 1000,
    periodInvoiceId: "in_2",
    paidAmount: null,
    owed: { invoiceId: "in_2", failedAt: START * 1000 },
    renewalFailedAt: START * 1000,
  });
});

it("owes nothing while the processor charges a renewal for the first time", async () => {
  const invoices = [anInvoice("in_2", "open", true), anInvoice("in_1", "paid", true)];

  expect(await read({ status: "active" }, invoices)).toMatchObject({ status: "Active", owed: null });
});

it("owes the last renewal before a fixed end, which the processor prorates", async () => {
  const cut = {
    period: { start: END, end: END + 3 * DAY },
    billing_reason: "subscription_cycle",
    period_end: END,
  };
  const last = {
    ...anInvoice("in_2", "open", true, cut),
    total: 1633,
    amount_due: 1633,
    lines: { data: [{ ...aLine(1633, true), period: cut.period }] },
  };
  const first = anInvoice("in_1", "paid", true, { amount_paid: 4900 });
  const price = { id: "price_1", unit_amount: 4900 };

  const subscription = await read(
    {
      status: "past_due",
      cancel_at: END + 3 * DAY,
      items: { data: [{ price, current_period_start: END, current_period_end: END + 9 * DAY }] },
    },
    [last, first],
  );

  expect(subscription).toMatchObject({ status: "PastDue", owed: { invoiceId: "in_2" } });
});

it("takes the prorated last renewal, not what is pending of a change of the price, for the period that is owed", async () => {
  const cut = { start: END, end: END + 3 * DAY };
  // Stripe lists pending items first, then the lines of the subscription.
  const pending = { ...aLine(900, true), period: { start: START + 4 * DAY, end: END } };
  const last = {
    ...anInvoice("in_2", "open", true, {
      period: cut,
      billing_reason: "subscription_cycle",
      period_end: END,
    }),
    total: 2533,
    amount_due: 2533,
    lines: { object: "list", data: [pending, { ...aLine(1633, true), period: cut }] },
  };
  const first = anInvoice("in_1", "paid", true, { amount_paid: 4900 });
  const price = { id: "price_1", unit_amount: 4900 };

  const subscription = await read(
    {
      status: "past_due",
      cancel_at: cut.end,
      items: { data: [{ price, current_period_start: END, current_period_end: END + 9 * DAY }] },
    },
    [last, first],
  );

  expect(subscription).toMatchObject({
    status: "PastDue",
    currentPeriodStart: cut.start * 1000,
    currentPeriodEnd: cut.end * 1000,
  });
});

it("does not take what is pending for a period where a renewal has more lines than the processor sends", async () => {
  const pending = Array.from({ length: 10 }, () => ({
    ...aLine(100, true),
    period: { start: START + 8 * DAY, end: END },
  }));
  const renewal = {
    ...anInvoice("in_2", "open", true, {
      period: { start: END, end: END + 9 * DAY },
      billing_reason: "subscription_cycle",
      period_end: END,
    }),
    total: 5900,
    amount_due: 5900,
    lines: { object: "list", has_more: true, data: pending },
  };
  const first = anInvoice("in_1", "paid", true, { amount_paid: 4900 });
  const price = { id: "price_1", unit_amount: 4900 };

  const subscription = await read(
    {
      status: "past_due",
      items: { data: [{ price, current_period_start: END, current_period_end: END + 9 * DAY }] },
    },
    [renewal, first],
  );

  expect(subscription.currentPeriodEnd).toBe((END + 9 * DAY) * 1000);
});

it("refunds the unused days of a prorated last period", async () => {
  const cut = { start: END, end: END + 3 * DAY };
  const said = {
    status: "paid",
    total: 1633,
    amount_paid: 1633,
    amount_due: 1633,
    lines: { object: "list", data: [{ ...aLine(1633, true), period: cut }] },
  };
  const last = {
    ...anInvoice("in_2", "paid", true, {
      period: cut,
      billing_reason: "subscription_cycle",
      period_end: END,
    }),
    ...said,
  };
  const price = { id: "price_1", unit_amount: 4900 };
  // The items' period as in "owes the last renewal before a fixed end".
  const items = { data: [{ price, current_period_start: END, current_period_end: END + 9 * DAY }] };

  const subscription = await read({ status: "active", cancel_at: cut.end, items }, [
    last,
    anInvoice("in_1", "paid", true, { amount_paid: 4900 }),
  ]);
  const invoice = {
    id: "in_2",
    total: 1633,
    amountPaid: 1633,
    currency: "eur",
    amountRefunded: 0,
    refundedSince: 0,
    periodStart: cut.start * 1000,
    periodEnd: cut.end * 1000,
  };
  const paidFor = movedPeriods<typeof invoice>(subscription)(invoice);

  // One of three days was used.
  expect(rejectionRefund(paidFor, { hasRun: true, endedAt: (END + DAY) * 1000 })).toBe(1088);
});
