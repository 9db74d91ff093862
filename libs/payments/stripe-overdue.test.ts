import { expect, it } from "vitest";
import { paymentsOn, send } from "./tests/fake-stripe.ts";

/*
 * What the sandbox does not do: an invoice of something else is declined in a period that was moved, which is a trial at the processor.
 */

const DAY = 86_400;
const START = 1_795_258_000;
const END = START + 9 * DAY;

function anInvoice(id: string, status: "paid" | "open", isOfPeriod: boolean) {
  const parent = { subscription_item_details: { proration: !isOfPeriod } };
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
    lines: { object: "list", data: [{ parent, period: { start: START, end: END } }] },
  };
}

it("keeps the period that was moved where an invoice of something else has made the subscription overdue", async () => {
  const invoices = [anInvoice("in_3", "open", false), anInvoice("in_2", "paid", true)];
  const price = { id: "price_1", unit_amount: 4900 };
  const subscription = {
    id: "sub_1",
    object: "subscription",
    created: START - 5 * DAY,
    status: "past_due",
    customer: "cus_1",
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_details: null,
    trial_end: END,
    pause_collection: null,
    items: { data: [{ price, current_period_start: START, current_period_end: END }] },
    latest_invoice: invoices[0],
    metadata: { period: `${START - 2 * DAY} ${END} in_1 4900` },
  };
  const { payments } = await paymentsOn((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const status = url.searchParams.get("status");
    const data = invoices.filter((one) => status === null || one.status === status);
    const list = { object: "list", data, has_more: false };
    send(response, 200, JSON.stringify(url.pathname.endsWith("/invoices") ? list : subscription));
  });

  const read = await payments.readSubscription("sub_1", null);

  expect(read).toMatchObject({
    status: "Active",
    currentPeriodStart: (START - 2 * DAY) * 1000,
    currentPeriodEnd: END * 1000,
    periodInvoiceId: "in_1",
    paidAmount: 4900,
    trialEnd: null,
    owed: null,
  });
});
