import type { Stripe } from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buy, changePrice, chargeOf, invoicesOf, type Purchase } from "#libs/payments/tests/purchase.ts";
import { aPrice, openCheckout } from "#libs/payments/tests/requests.ts";
import {
  type Inbox,
  openInbox,
  type RunningSandbox,
  runSandbox,
} from "#libs/payments/tests/running-sandbox.ts";

const DAY = 86_400;

let sandbox: RunningSandbox;
let stripe: Stripe;
let inbox: Inbox;

beforeEach(async () => {
  sandbox = await runSandbox();
  stripe = sandbox.stripe;
  inbox = await openInbox();
});

afterEach(async () => {
  await sandbox.close();
  await inbox.close();
});

/** The types of the events until that one, but for those of the clock. */
async function eventsUntil(last: string): Promise<string[]> {
  sandbox.deliverTo(inbox.url);
  await inbox.receive(last);
  return inbox.events.filter(({ subject }) => subject.kind !== "clock").map(({ type }) => type);
}

async function statusOf(id: string): Promise<string> {
  return (await stripe.subscriptions.retrieve(id)).status;
}

const FORTNIGHT = { interval: "Week", intervalCount: 2, amount: 900 } as const;

describe("a renewal", () => {
  it("follows the period without a gap, with a numbered invoice and a charge of its own", async () => {
    const bought = await buy(sandbox, { price: FORTNIGHT });

    await sandbox.advance(29);

    const { items, status } = await stripe.subscriptions.retrieve(bought.id);
    const start = bought.items.data[0]?.current_period_start ?? 0;
    expect(status).toBe("active");
    expect(items.data[0]).toMatchObject({
      current_period_start: start + 28 * DAY,
      current_period_end: start + 42 * DAY,
    });
    const invoices = await invoicesOf(sandbox, bought.id);
    expect(invoices.map((invoice) => [invoice.status, invoice.amount_paid, invoice.billing_reason])).toEqual([
      ["paid", 900, "subscription_create"],
      ["paid", 900, "subscription_cycle"],
      ["paid", 900, "subscription_cycle"],
    ]);
    const numbers = invoices.map(({ number }) => number?.split("-")[1]);
    expect(numbers).toEqual(["0001", "0002", "0003"]);
    expect(invoices.map(({ lines }) => lines.data[0]?.period.start)).toEqual([
      start,
      start + 14 * DAY,
      start + 28 * DAY,
    ]);
    const charges = await Promise.all(invoices.map(({ id }) => chargeOf(sandbox, id)));
    expect(new Set(charges.map(({ id }) => id)).size).toBe(3);
  });

  it("is a draft for an hour before it is charged", async () => {
    const bought = await buy(sandbox, { price: FORTNIGHT });

    await sandbox.advance(14);
    const [, draft] = await invoicesOf(sandbox, bought.id);
    await sandbox.post("/sandbox/clock/advance", { seconds: 3600 });
    const [, paid] = await invoicesOf(sandbox, bought.id);

    expect(draft).toMatchObject({ status: "draft", number: null, hosted_invoice_url: null });
    expect(paid).toMatchObject({
      id: draft?.id,
      status: "paid",
      hosted_invoice_url: expect.stringContaining(`/sandbox/invoices/${draft?.id}`),
    });
  });

  it("is voided while the collection is paused, and charged again after", async () => {
    const bought = await buy(sandbox, { price: FORTNIGHT });
    await stripe.subscriptions.update(bought.id, { pause_collection: { behavior: "void" } });
    await sandbox.advance(14);
    await stripe.subscriptions.update(bought.id, { pause_collection: "" });

    await sandbox.advance(15);

    const invoices = await invoicesOf(sandbox, bought.id);
    expect(invoices.map(({ status }) => status)).toEqual(["paid", "void", "paid"]);
    expect(await eventsUntil("invoice.voided")).not.toContain("customer.subscription.paused");
  });

  it("is charged again once a pause has reached its end", async () => {
    const bought = await buy(sandbox, { price: FORTNIGHT });
    const resumesAt = bought.created + 20 * DAY;
    await stripe.subscriptions.update(bought.id, {
      pause_collection: { behavior: "void", resumes_at: resumesAt },
    });

    await sandbox.advance(29);

    const invoices = await invoicesOf(sandbox, bought.id);
    expect(invoices.map(({ status }) => status)).toEqual(["paid", "void", "paid"]);
    expect((await stripe.subscriptions.retrieve(bought.id)).pause_collection).toBeNull();
  });
});

describe("a trial", () => {
  it("charges nothing, is announced three days before it ends, and ends with the first charge", async () => {
    const trial = await buy(sandbox, { checkout: { trialDays: 10 } });
    await sandbox.advance(7);
    const early = await eventsUntil("customer.subscription.trial_will_end");
    await sandbox.advance(4);

    const invoices = await invoicesOf(sandbox, trial.id);

    expect(trial).toMatchObject({ status: "trialing", trial_end: trial.created + 10 * DAY });
    expect(early).not.toContain("invoice.payment_failed");
    expect(invoices.map(({ amount_paid, status }) => [amount_paid, status])).toEqual([
      [0, "paid"],
      [4900, "paid"],
    ]);
    expect(await statusOf(trial.id)).toBe("active");
  });

  it.each([
    ["create_invoice", "past_due", "invoice.payment_failed"],
    ["cancel", "canceled", "customer.subscription.deleted"],
    ["pause", "paused", "customer.subscription.paused"],
  ] as const)("without a card ends as its settings say: %s makes it %s", async (end, status, event) => {
    const { id } = await trialWithoutCard(end);

    await sandbox.advance(6);

    expect(await statusOf(id)).toBe(status);
    expect(await eventsUntil(event)).toContain(event);
  });

  async function trialWithoutCard(missing_payment_method: "cancel" | "create_invoice" | "pause") {
    const { processorPriceId } = await sandbox.payments.ensurePrice(aPrice());
    const { url, id } = await stripe.checkout.sessions.create({
      mode: "subscription",
      line_items: [{ price: processorPriceId, quantity: 1 }],
      success_url: "http://127.0.0.1/thanks",
      payment_method_collection: "if_required",
      subscription_data: {
        trial_period_days: 5,
        trial_settings: { end_behavior: { missing_payment_method } },
      },
    });
    await sandbox.pay(url ?? "");
    const { subscription } = await stripe.checkout.sessions.retrieve(id, { expand: ["subscription"] });
    if (subscription === null || typeof subscription === "string") throw new Error("There is no trial.");
    return subscription;
  }
});

describe("a renewal that fails", () => {
  const FAILS = {
    price: { interval: "Month", amount: 4900 },
    payer: { card: "0341" },
  } as const satisfies Purchase;

  it("is tried again after three, five and seven days", async () => {
    const { id } = await buy(sandbox, FAILS);
    const pauses: number[] = [];
    await sandbox.advance(32);

    for (const days of [3, 5, 7]) {
      const [, before] = await invoicesOf(sandbox, id);
      await sandbox.advance(days);
      const [, after] = await invoicesOf(sandbox, id);
      expect(after?.attempt_count).toBe((before?.attempt_count ?? 0) + 1);
      pauses.push(
        ((before?.next_payment_attempt ?? 0) - (before?.status_transitions.finalized_at ?? 0)) / DAY,
      );
    }

    expect(pauses).toEqual([3, 3 + 5, 3 + 5 + 7]);
    expect(await statusOf(id)).toBe("canceled");
  });

  it.each([
    ["cancel", "canceled", "payment_failed"],
    ["unpaid", "unpaid", null],
    ["past_due", "past_due", null],
  ])("ends after the last attempt as the operator has set: %s", async (afterRetries, status, reason) => {
    await sandbox.post("/sandbox/settings", { afterRetries });
    const { id } = await buy(sandbox, FAILS);

    await sandbox.advance(50);

    const subscription = await stripe.subscriptions.retrieve(id);
    expect(subscription.status).toBe(status);
    expect(subscription.cancellation_details?.reason ?? null).toBe(reason);
    const [, invoice] = await invoicesOf(sandbox, id);
    expect(invoice).toMatchObject({ status: "open", attempt_count: 4, next_payment_attempt: null });
  });

  it("is tried once, now, when it is collected again after several attempts would have been due", async () => {
    const { id } = await buy(sandbox, FAILS);
    await sandbox.advance(32);
    const [, failed] = await invoicesOf(sandbox, id);
    await stripe.invoices.update(failed?.id ?? "", { auto_advance: false });
    await sandbox.advance(20);

    await stripe.invoices.update(failed?.id ?? "", { auto_advance: true });
    await sandbox.advance(4);
    const [, tried] = await invoicesOf(sandbox, id);
    await sandbox.advance(1);
    const [, again] = await invoicesOf(sandbox, id);

    expect(await statusOf(id)).toBe("past_due");
    expect(tried).toMatchObject({ status: "open", attempt_count: 2 });
    expect(again).toMatchObject({ status: "open", attempt_count: 3 });
  });

  it("is paid by the next attempt when the card was changed in the portal", async () => {
    const { id, customer } = await buy(sandbox, FAILS);
    await sandbox.advance(32);
    const { url } = await stripe.billingPortal.sessions.create({ customer: String(customer) });
    const declined = await sandbox.post(`${new URL(url).pathname}/card`, { card: "0002" });
    const changed = await sandbox.post(`${new URL(url).pathname}/card`, { card: "4444" });

    await sandbox.advance(3);

    expect([declined.status, changed.status]).toEqual([402, 200]);
    expect(await statusOf(id)).toBe("active");
    const [, invoice] = await invoicesOf(sandbox, id);
    expect(invoice).toMatchObject({ status: "paid", amount_paid: 4900 });
    expect(await chargeOf(sandbox, invoice?.id ?? "")).toMatchObject({
      paid: true,
      payment_method_details: { card: { last4: "4444" } },
    });
  });

  it("is settled by paying the open invoice on its page, also after the last attempt", async () => {
    await sandbox.post("/sandbox/settings", { afterRetries: "unpaid" });
    const { id } = await buy(sandbox, FAILS);
    await sandbox.advance(50);
    const [, invoice] = await invoicesOf(sandbox, id);

    const declined = await sandbox.post(`/sandbox/invoices/${invoice?.id}/pay`, { card: "9995" });
    const before = await statusOf(id);
    await sandbox.post(`/sandbox/invoices/${invoice?.id}/pay`, { card: "4242" });

    expect(declined.status).toBe(402);
    expect((await declined.json()).error).toMatchObject({ decline_code: "insufficient_funds" });
    expect(before).toBe("unpaid");
    expect(await statusOf(id)).toBe("active");
  });

  it("emits the failure before the subscription is past due", async () => {
    const { id } = await buy(sandbox, FAILS);
    await sandbox.advance(32);
    await stripe.subscriptions.cancel(id);

    const events = await eventsUntil("customer.subscription.deleted");

    expect(events.slice(events.indexOf("invoice.payment_failed") - 1)).toEqual([
      "invoice.finalized",
      "invoice.payment_failed",
      "customer.subscription.updated",
      "customer.subscription.deleted",
    ]);
  });
});

describe("a first payment that the bank wants to approve", () => {
  async function asked() {
    const { url, processorSessionId } = await openCheckout(sandbox.payments);
    const paid = await sandbox.pay(url, { email: "ads@harbour.example", card: "3155" });
    const [subscription] = (await stripe.subscriptions.list({ status: "all" })).data;
    return {
      path: new URL(url).pathname,
      answer: await paid.json(),
      processorSessionId,
      id: subscription?.id ?? "",
    };
  }

  it("leaves the subscription incomplete until it is approved", async () => {
    const { path, answer, processorSessionId, id } = await asked();
    const waiting = await statusOf(id);
    const refused = await sandbox.post(`${path}/refuse`);

    const approved = await sandbox.post(`${path}/approve`);

    expect(answer).toMatchObject({ status: "requires_action" });
    expect(waiting).toBe("incomplete");
    expect([refused.status, approved.status]).toEqual([402, 200]);
    const session = await sandbox.payments.readCheckoutSession(processorSessionId, null);
    expect(session).toMatchObject({ status: "complete", subscriptionId: id });
    expect(await statusOf(id)).toBe("active");
  });

  it("can be made with another card instead, and makes no second subscription", async () => {
    const { path, id } = await asked();

    await sandbox.post(`${path}/complete`, { email: "ads@harbour.example", card: "4242" });

    const { data } = await stripe.subscriptions.list({ status: "all" });
    expect(data.map((one) => [one.id, one.status])).toEqual([[id, "active"]]);
  });

  it("lets the subscription expire after a day without an answer", async () => {
    const { id } = await asked();

    await sandbox.advance(1);

    expect(await statusOf(id)).toBe("incomplete_expired");
    const [invoice] = await invoicesOf(sandbox, id);
    expect(invoice?.status).toBe("void");
  });
});

describe("a cancellation", () => {
  it("at the end of the period ends it then, and can be undone before", async () => {
    const { id, items } = await buy(sandbox, { price: FORTNIGHT });
    const cancellation_details = { feedback: "too_expensive", comment: "Season is over" } as const;
    await stripe.subscriptions.update(id, { cancel_at_period_end: true, cancellation_details });
    const kept = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    const canceling = await stripe.subscriptions.update(id, {
      cancel_at_period_end: true,
      cancellation_details,
    });

    await sandbox.advance(15);

    const end = items.data[0]?.current_period_end ?? 0;
    expect(kept).toMatchObject({ cancel_at: null, canceled_at: null });
    expect(canceling).toMatchObject({ cancel_at: end, status: "active" });
    const ended = await stripe.subscriptions.retrieve(id);
    expect(ended).toMatchObject({ status: "canceled", ended_at: end });
    expect(ended.cancellation_details).toMatchObject({
      ...cancellation_details,
      reason: "cancellation_requested",
    });
    expect(await invoicesOf(sandbox, id)).toHaveLength(1);
  });

  it("takes effect immediately and collects nothing more, not even open invoices", async () => {
    const { id } = await buy(sandbox, { payer: { card: "0341" } });
    await sandbox.advance(32);

    await stripe.subscriptions.cancel(id);
    await sandbox.advance(60);

    const invoices = await invoicesOf(sandbox, id);
    expect(invoices.map((invoice) => [invoice.status, invoice.attempt_count])).toEqual([
      ["paid", 1],
      ["open", 1],
    ]);
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: "resource_missing" });
  });
});

it.each([
  ["WELCOME20", [3920, 4900, 4900, 4900, 4900]],
  ["FIRSTFREE", [0, 4900, 4900, 4900, 4900]],
  ["FIVEOFF", [4400, 4900, 4900, 4900, 4900]],
  ["QUARTER25", [3675, 3675, 3675, 4900, 4900]],
  ["FOREVER10", [4410, 4410, 4410, 4410, 4410]],
])("takes off what the promotion code %s gives, for as long as it does", async (promotionCode, amounts) => {
  const { id } = await buy(sandbox, { payer: { promotionCode } });

  await sandbox.advance(125);

  const invoices = await invoicesOf(sandbox, id);
  expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual(amounts);
  expect(invoices.map(({ subtotal }) => subtotal)).toEqual(Array(5).fill(4900));
  const first = await stripe.invoices.retrieve(invoices[0]?.id ?? "", {
    expand: ["discounts.promotion_code"],
  });
  expect(first.discounts[0]).toMatchObject({ promotion_code: { code: promotionCode, times_redeemed: 1 } });
});

describe("a change of the price", () => {
  it("is billed for the rest of the period at once, and leaves the subscription past due if that is declined", async () => {
    const payer = { card: "0341" } as const;
    const { id } = await buy(sandbox, { price: { ...FORTNIGHT, intervalCount: 1 }, payer });
    await sandbox.advance(3);

    await changePrice(stripe, id, 1600);

    const [, change] = await invoicesOf(sandbox, id);
    expect(change).toMatchObject({ status: "open", total: 400, billing_reason: "subscription_update" });
    const { status, latest_invoice, items } = await stripe.subscriptions.retrieve(id);
    expect([status, latest_invoice]).toEqual(["past_due", change?.id]);
    expect(items.data[0]?.price.unit_amount).toBe(1600);
    expect(change?.lines.data[0]?.parent?.subscription_item_details?.proration).toBe(true);
  });

  it("is billed with the renewal, whose rest the customer keeps where it gives back more than that costs", async () => {
    const { id } = await buy(sandbox, { price: { ...FORTNIGHT, intervalCount: 1 } });
    await changePrice(stripe, id, 200, "with renewal");

    await sandbox.advance(8);

    const [, renewal] = await invoicesOf(sandbox, id);
    const credited = { amount_due: 0, amount_paid: 0, ending_balance: -500 };
    expect(renewal).toMatchObject({ status: "paid", total: -500, ...credited });
  });
});

it("carries what is too little to be charged to the next invoice", async () => {
  await sandbox.post("/sandbox/promotion-codes", { code: "nearlyfree", percentOff: 99.5 });
  const { id } = await buy(sandbox, { payer: { promotionCode: "nearlyfree" } });

  await sandbox.advance(65);

  const invoices = await invoicesOf(sandbox, id);
  expect(invoices.map(({ status, total, amount_paid: paid }) => [status, total, paid])).toEqual([
    ["paid", 24, 0],
    ["paid", 4900, 4924],
    ["paid", 4900, 4900],
  ]);
});

it("refuses a checkout below the smallest charge of its currency", async () => {
  const tooLittle = openCheckout(sandbox.payments, aPrice({ amount: 49, currency: "usd" }));

  await expect(tooLittle).rejects.toMatchObject({ code: "PROCESSOR_FAILED", isRefusal: true });
});

it("keeps a discount for the first payment until after the trial", async () => {
  const { id } = await buy(sandbox, { checkout: { trialDays: 7 }, payer: { promotionCode: "WELCOME20" } });

  await sandbox.advance(8);

  expect((await invoicesOf(sandbox, id)).map(({ amount_paid }) => amount_paid)).toEqual([0, 3920]);
});

it("expires a session that nobody paid after a day, and forgets it a month later", async () => {
  const { processorSessionId } = await openCheckout(sandbox.payments);

  await sandbox.advance(1);
  const expired = await stripe.checkout.sessions.retrieve(processorSessionId);
  await sandbox.advance(30);

  expect(expired).toMatchObject({ status: "expired", url: null });
  await expect(stripe.checkout.sessions.retrieve(processorSessionId)).rejects.toMatchObject({
    statusCode: 404,
  });
  const events = await eventsUntil("checkout.session.expired");
  expect(events).toEqual(["checkout.session.expired"]);
});
