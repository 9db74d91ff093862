import { expect, it } from "vitest";
import { answerWith, paymentsOn, refuseWith, send } from "./tests/fake-stripe.ts";
import { all } from "./tests/sales.ts";

/** An invoice of a subscription as Stripe sends it, as far as we look. */
function anInvoice(id: string, subscription: string | null = "sub_1") {
  const details = subscription === null ? null : { subscription, metadata: {} };
  return {
    id,
    object: "invoice",
    status: "open",
    customer: "cus_1",
    parent: { type: "subscription_details", subscription_details: details, quote_details: null },
    number: null,
    currency: "eur",
    total: 4900,
    amount_paid: 0,
    amount_due: 4900,
    created: 1_795_258_057,
    status_transitions: { paid_at: null },
    period_start: 1_795_258_057,
    period_end: 1_795_258_057,
    lines: { object: "list", data: [] },
  };
}

/** Answers page after page, and notes what each request asked for. */
async function paymentsOnPages(pages: readonly (readonly object[])[], fault?: { readonly atPage: number }) {
  const asked: URLSearchParams[] = [];
  const { payments } = await paymentsOn((request, response) => {
    asked.push(new URL(request.url ?? "", "http://127.0.0.1").searchParams);
    const page = asked.length - 1;
    if (page === fault?.atPage) return refuseWith(503, { type: "api_error" })(request, response);
    const data = pages[page] ?? [];
    send(response, 200, JSON.stringify({ object: "list", data, has_more: page < pages.length - 1 }));
  });
  return { payments, asked };
}

it("walks a list to its end, each page from the last object of the one before", async () => {
  const pages = [[anInvoice("in_4"), anInvoice("in_3")], [anInvoice("in_2")], [anInvoice("in_1")]];
  const { payments, asked } = await paymentsOnPages(pages);

  const listed = await all(payments.listInvoices({ account: null, since: 1_795_000_000_999 }));

  expect(listed.map(({ id }) => id)).toEqual(["in_4", "in_3", "in_2", "in_1"]);
  expect(asked.map((query) => query.get("starting_after"))).toEqual([null, "in_3", "in_2"]);
  for (const query of asked) {
    expect([query.get("limit"), query.get("created[gte]")]).toEqual(["100", "1795000000"]);
  }
});

it("leaves out invoices that no subscription has made", async () => {
  const { payments } = await paymentsOnPages([[anInvoice("in_2", null), anInvoice("in_1")]]);

  const listed = await all(payments.listInvoices({ account: null, since: 0 }));

  expect(listed.map(({ id }) => id)).toEqual(["in_1"]);
});

it("ends where a page is empty, whatever is said to follow", async () => {
  const { payments, asked } = await paymentsOnPages([[anInvoice("in_1")], [], [anInvoice("in_0")]]);

  const listed = await all(payments.listInvoices({ account: null, since: 0 }));

  expect(listed).toHaveLength(1);
  expect(asked).toHaveLength(2);
});

it("asks for no page before the one before it was used", async () => {
  const { payments, asked } = await paymentsOnPages([[anInvoice("in_2")], [anInvoice("in_1")]]);

  for await (const invoice of payments.listInvoices({ account: null, since: 0 })) {
    expect(invoice.id).toBe("in_2");
    break;
  }

  expect(asked).toHaveLength(1);
});

it("gives what came before a page that fails, and then says so", async () => {
  const { payments } = await paymentsOnPages([[anInvoice("in_2")], [anInvoice("in_1")]], { atPage: 1 });
  const seen: string[] = [];

  const walk = async () => {
    for await (const { id } of payments.listInvoices({ account: null, since: 0 })) seen.push(id);
  };

  await expect(walk()).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: true });
  expect(seen).toEqual(["in_2"]);
});

it("counts no refund that failed or was called off, and all others over pages", async () => {
  const refund = (id: string, status: string) => ({ id, object: "refund", amount: 1, created: 1, status });
  const pages = [
    [refund("re_5", "succeeded"), refund("re_4", "failed"), refund("re_3", "canceled")],
    [refund("re_2", "pending"), refund("re_1", "requires_action")],
  ];
  let page = 0;
  const { payments } = await paymentsOn((request, response) => {
    const charge = { object: "charge", id: "ch_1", payment_intent: null, amount: 9, amount_refunded: 3 };
    if (request.url?.startsWith("/v1/charges/") === true) {
      send(response, 200, JSON.stringify({ ...charge, currency: "eur", disputed: false, created: 1 }));
    } else {
      const data = pages[page] ?? [];
      page += 1;
      send(response, 200, JSON.stringify({ object: "list", data, has_more: page < pages.length }));
    }
  });

  const { refunds, invoiceId } = await payments.readCharge("ch_1", null);

  expect(refunds.map(({ id }) => id)).toEqual(["re_5", "re_2", "re_1"]);
  expect(invoiceId).toBeNull();
});

it.each([
  ["unpaid", "open"],
  ["paid", "complete"],
  ["no_payment_required", "complete"],
])("takes a complete session whose payment is %s for %s", async (paymentStatus, status) => {
  const session = {
    id: "cs_1",
    object: "checkout.session",
    status: "complete",
    payment_status: paymentStatus,
    url: null,
    expires_at: 1,
    client_reference_id: null,
    subscription: "sub_1",
    customer: "cus_1",
    customer_details: null,
    customer_email: null,
    metadata: {},
  };
  const { payments } = await paymentsOn(answerWith(200, session));

  expect((await payments.readCheckoutSession("cs_1", null)).status).toBe(status);
});
