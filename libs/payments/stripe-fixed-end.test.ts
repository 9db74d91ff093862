import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { paymentsOn, send } from "./tests/fake-stripe.ts";

/* What the sandbox does not do: it cuts and prorates no last period before a fixed end. */

const DAY = 86_400;
const START = Math.floor(Date.now() / 1000);

interface Held {
  readonly cancelAt: number;
  readonly itemEnd: number;
  readonly isHeld?: boolean;
}

/** Payments on a processor with one subscription, in its second week, which was sold up to a fixed end. */
async function aSubscription({ cancelAt, itemEnd, isHeld = false }: Held) {
  const line = {
    amount: 1633,
    parent: { subscription_item_details: { proration: true } },
    period: { start: START, end: Math.min(cancelAt, itemEnd) },
  };
  const invoice = {
    id: "in_2",
    object: "invoice",
    status: isHeld ? "void" : "paid",
    customer: "cus_1",
    billing_reason: "subscription_cycle",
    attempt_count: 1,
    parent: { type: "subscription_details", subscription_details: { subscription: "sub_1", metadata: {} } },
    number: null,
    currency: "eur",
    total: 1633,
    amount_paid: 1633,
    amount_due: 1633,
    created: START,
    status_transitions: { paid_at: START, finalized_at: START },
    period_start: START - 7 * DAY,
    period_end: START,
    lines: { object: "list", data: [line] },
  };
  const item = {
    price: { id: "price_1", unit_amount: 4900, recurring: { interval: "week", interval_count: 1 } },
    current_period_start: START,
    current_period_end: itemEnd,
  };
  const metadata: Record<string, string> = {};
  const ends: { at: number | null; withPeriod: boolean } = { at: cancelAt, withPeriod: false };
  const writes: Record<string, string>[] = [];

  function write(form: URLSearchParams): void {
    writes.push(Object.fromEntries(form));
    for (const [name, value] of form) {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      if (key !== undefined && value === "") delete metadata[key];
      else if (key !== undefined) metadata[key] = value;
    }
    if (form.has("trial_end")) item.current_period_end = Number(form.get("trial_end"));
    if (form.get("billing_cycle_anchor[type]") === "now") item.current_period_end = START + 7 * DAY;
    if (form.has("cancel_at")) Object.assign(ends, { at: Number(form.get("cancel_at")), withPeriod: false });
    if (form.get("cancel_at_period_end") === "true") {
      Object.assign(ends, { at: item.current_period_end, withPeriod: true });
    }
  }

  const { payments } = await paymentsOn(async (request, response) => {
    if (request.method === "POST") write(new URLSearchParams(await text(request)));
    const subscription = {
      id: "sub_1",
      object: "subscription",
      status: "active",
      created: START - 7 * DAY,
      customer: "cus_1",
      cancel_at: ends.at,
      cancel_at_period_end: ends.withPeriod,
      canceled_at: null,
      ended_at: null,
      cancellation_details: null,
      trial_end: null,
      pause_collection: null,
      latest_invoice: invoice,
      metadata,
      items: { data: [item] },
    };
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    const status = searchParams.get("status");
    const data = status === null || status === invoice.status ? [invoice] : [];
    const invoices = pathname.endsWith("/invoices") ? { object: "list", data, has_more: false } : invoice;
    send(response, 200, JSON.stringify(pathname.includes("/invoices") ? invoices : subscription));
  });
  return { payments, ends, writes };
}

it.each([
  ["keeps the item's period", START + 7 * DAY],
  ["cuts the item's period", START + 3 * DAY],
])(
  "moves the end of a last period that is cut with the paid time, where the processor %s",
  async (_what, itemEnd) => {
    const cancelAt = START + 3 * DAY;
    const { payments, ends } = await aSubscription({ cancelAt, itemEnd });
    const write = { account: null, idempotencyKey: "stop" };

    await payments.stopSubscription("sub_1", { ...write, reason: "paused", at: (START + DAY) * 1000 });
    const stopped = await payments.readSubscription("sub_1", null);
    // Paused for two days: two of the three that were paid are left.
    const periodEnd = (cancelAt + 2 * DAY) * 1000;
    await payments.continueSubscription("sub_1", { account: null, idempotencyKey: "continue", periodEnd });

    expect(stopped.currentPeriodEnd).toBe(cancelAt * 1000);
    expect(ends.at).toBe(cancelAt + 2 * DAY);
  },
);

it.each([
  ["within it: it ends with the period", 2, "true", 7],
  ["later: that stays", 12, undefined, 12],
])("begins a period that no fixed end can cut, where one is %s", async (_what, day, withPeriod, endsOn) => {
  const { payments, ends, writes } = await aSubscription({
    cancelAt: START + day * DAY,
    itemEnd: START + DAY,
    isHeld: true,
  });
  const seen = await payments.readSubscription("sub_1", null);

  await payments.startSubscription("sub_1", { account: null, idempotencyKey: "start", trialEnd: null, seen });

  expect(writes.map((write) => write.cancel_at_period_end)).toEqual([withPeriod]);
  expect(ends).toEqual({ at: START + endsOn * DAY, withPeriod: withPeriod === "true" });
});
