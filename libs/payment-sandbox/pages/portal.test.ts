import { afterAll, expect, it } from "vitest";
import { buy, invoicesOf } from "#libs/payments/tests/purchase.ts";
import { runSandbox } from "#libs/payments/tests/running-sandbox.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());
const { stripe } = sandbox;

/** A new customer's subscription and the path of their portal. */
async function aCustomer() {
  const { id, customer } = await buy(sandbox, { payer: { name: "<b>Harbour</b>" } });
  const portal = await stripe.billingPortal.sessions.create({
    customer: String(customer),
    return_url: "http://127.0.0.1/back",
  });
  return { id, path: new URL(portal.url).pathname, url: portal.url };
}

it("shows subscriptions, card and invoices, and the way back", async () => {
  const { id, url } = await aCustomer();
  const [invoice] = await invoicesOf(sandbox, id);

  const html = await (await fetch(url)).text();

  expect(html).toContain("€49.00 per month</strong>, active, renews ");
  expect(html).toContain("Card ending in 4242");
  expect(html).toContain(`href="${invoice?.hosted_invoice_url}"`);
  expect(html).toContain('href="http://127.0.0.1/back"');
  expect(html).not.toContain("<script");
});

it("cancels at the end of the period with the reasons of the customer, and resumes", async () => {
  const { id, path } = await aCustomer();

  await sandbox.post(`${path}/subscriptions/${id}/cancel`, {
    feedback: "too_expensive",
    comment: "Season is over",
  });
  const canceling = await stripe.subscriptions.retrieve(id);
  await sandbox.post(`${path}/subscriptions/${id}/keep`);
  const kept = await stripe.subscriptions.retrieve(id);

  expect(canceling).toMatchObject({
    status: "active",
    cancel_at_period_end: false,
    cancel_at: canceling.items.data[0]?.current_period_end,
    cancellation_details: {
      feedback: "too_expensive",
      comment: "Season is over",
      reason: "cancellation_requested",
    },
  });
  expect(kept).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
});

it("keeps the card when the new one is declined, and says so", async () => {
  const { path, id } = await aCustomer();
  const before = await stripe.subscriptions.retrieve(id);

  const declined = await fetch(new URL(`${path}/card`, sandbox.pagesUrl), {
    method: "POST",
    body: new URLSearchParams({ card: "0002" }),
  });

  expect(declined.status).toBe(402);
  expect(await declined.text()).toContain('role="alert" id="problem">Your card was declined.');
  expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBe(
    before.default_payment_method,
  );
});

it("touches nobody else's subscription", async () => {
  const { path } = await aCustomer();
  const other = await aCustomer();

  const tried = await sandbox.post(`${path}/subscriptions/${other.id}/cancel`);

  expect(tried.status).toBe(404);
  expect((await stripe.subscriptions.retrieve(other.id)).cancel_at).toBeNull();
});

it.each([
  ["a reason that nobody has", { feedback: "because" }],
  ["a null byte", { comment: "\0" }],
  ["a comment that is too long", { comment: "x".repeat(501) }],
])("refuses %s", async (_what, fields) => {
  const { id, path } = await aCustomer();

  const refused = await sandbox.post(`${path}/subscriptions/${id}/cancel`, fields);

  expect(refused.status).toBe(422);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at).toBeNull();
});

it("closes after an hour", async () => {
  const { url } = await aCustomer();

  await sandbox.post("/sandbox/clock/advance", { seconds: 3600 });

  expect((await fetch(url)).status).toBe(404);
});

it("shows an invoice with the customer's name as text", async () => {
  const { id } = await aCustomer();
  const [invoice] = await invoicesOf(sandbox, id);

  const read = await (await fetch(invoice?.hosted_invoice_url ?? "")).text();

  expect(read).toContain(`Invoice ${invoice?.number}`);
  expect(read).toContain("For &lt;b&gt;Harbour&lt;/b&gt;");
  expect(read).toContain("<dt>Paid</dt><dd>€49.00</dd>");
  expect(read).toContain(`href="${new URL(invoice?.invoice_pdf ?? "").pathname}"`);
});
