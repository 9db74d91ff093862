import type { Stripe } from "stripe";
import { afterAll, expect, it } from "vitest";
import { buy, chargeOf } from "#libs/payments/tests/purchase.ts";
import { aPrice } from "#libs/payments/tests/requests.ts";
import { openInbox, runSandbox } from "#libs/payments/tests/running-sandbox.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());
const { stripe } = sandbox;
const inbox = await openInbox();
afterAll(() => inbox.close());
sandbox.deliverTo(inbox.url);

const URLS = { refresh_url: "http://127.0.0.1/again", return_url: "http://127.0.0.1/back" };

async function link(account: string): Promise<string> {
  const { url } = await stripe.accountLinks.create({ account, type: "account_onboarding", ...URLS });
  return new URL(url).pathname;
}

async function anAccount(end?: "ready" | "under review"): Promise<string> {
  const { id } = await stripe.accounts.create({ metadata: { workspaceId: "ws_1" } });
  if (end !== undefined) await sandbox.post(`${await link(id)}/complete`, { end });
  return id;
}

it("is set up on its page, emits that, and leads back", async () => {
  const account = await anAccount();
  const before = await stripe.accounts.retrieve(account);
  const path = await link(account);

  const done = await sandbox.post(`${path}/complete`);

  expect(before).toMatchObject({ charges_enabled: false, details_submitted: false, payouts_enabled: false });
  expect(await done.json()).toEqual({ url: URLS.return_url });
  const after = await stripe.accounts.retrieve(account);
  expect(after).toMatchObject({ charges_enabled: true, details_submitted: true, payouts_enabled: true });
  await expect
    .poll(() =>
      inbox.events.find(({ subject }) => subject.kind === "account" && subject.accountId === account),
    )
    .toMatchObject({ type: "account.updated", account });
});

it("may stay under review", async () => {
  const account = await anAccount("under review");

  const after = await stripe.accounts.retrieve(account);

  expect(after).toMatchObject({ charges_enabled: false, details_submitted: true });
});

it("is led to a new link when the one it has is used or old", async () => {
  const account = await anAccount();
  const used = await link(account);
  const old = await link(account);
  await sandbox.post(`${used}/complete`);
  await sandbox.post("/sandbox/clock/advance", { seconds: 300 });

  const answers = await Promise.all(
    [used, old].map((path) => fetch(new URL(path, sandbox.pagesUrl), { redirect: "manual" })),
  );

  expect(answers.map((answer) => answer.headers.get("location"))).toEqual([
    URLS.refresh_url,
    URLS.refresh_url,
  ]);
});

it("has objects of its own, which nobody else finds", async () => {
  const [one, other] = [await anAccount("ready"), await anAccount("ready")];
  const price = aPrice({ account: one });

  const { id } = await buy(sandbox, { price });

  const found = await stripe.subscriptions.retrieve(id, {}, { stripeAccount: one });
  expect(found.status).toBe("active");
  for (const options of [{}, { stripeAccount: other }]) {
    await expect(stripe.subscriptions.retrieve(id, {}, options)).rejects.toMatchObject({ statusCode: 404 });
    expect((await stripe.products.list({}, options)).data.map((product) => product.id)).not.toContain(
      price.tierId,
    );
  }
  await expect
    .poll(() =>
      inbox.events.find(({ subject }) => subject.kind === "subscription" && subject.subscriptionId === id),
    )
    .toMatchObject({ account: one });
});

it("renews and takes promotion codes as the platform does", async () => {
  const account = await anAccount("ready");
  const { id } = await buy(sandbox, {
    price: { account, interval: "Week", amount: 1000 },
    payer: { promotionCode: "FOREVER10" },
  });

  await sandbox.advance(8);

  const { data } = await stripe.invoices.list({ subscription: id }, { stripeAccount: account });
  expect(data.map(({ amount_paid }) => amount_paid)).toEqual([900, 900]);
});

it("pays the platform its fee", async () => {
  const account = await anAccount("ready");
  const inAccount = { stripeAccount: account };
  const { processorPriceId } = await sandbox.payments.ensurePrice(aPrice({ account }));
  const sale: Stripe.Checkout.SessionCreateParams = {
    mode: "subscription",
    line_items: [{ price: processorPriceId, quantity: 1 }],
    success_url: "http://127.0.0.1/thanks",
    subscription_data: { application_fee_percent: 7.25 },
  };

  const { url, id } = await stripe.checkout.sessions.create(sale, inAccount);
  await sandbox.pay(url ?? "");

  const { subscription } = await stripe.checkout.sessions.retrieve(id, {}, inAccount);
  const found = await stripe.subscriptions.retrieve(String(subscription), {}, inAccount);
  const { data: charges } = await stripe.charges.list({}, inAccount);
  expect(found.application_fee_percent).toBe(7.25);
  expect(charges).toMatchObject([{ amount: 4900, application_fee_amount: 355 }]);
  const ours = await sandbox.payments.ensurePrice(aPrice());
  const line_items = [{ price: ours.processorPriceId, quantity: 1 }];
  await expect(stripe.checkout.sessions.create({ ...sale, line_items })).rejects.toMatchObject({
    param: "subscription_data[application_fee_percent]",
  });
});

it("gets back the platform's fee of what it refunds", async () => {
  const account = await anAccount("ready");
  const { processorPriceId } = await sandbox.payments.ensurePrice(aPrice({ account }));
  const { url } = await stripe.checkout.sessions.create(
    {
      mode: "subscription",
      line_items: [{ price: processorPriceId, quantity: 1 }],
      success_url: "http://127.0.0.1/thanks",
      subscription_data: { application_fee_percent: 10 },
    },
    { stripeAccount: account },
  );
  await sandbox.pay(url ?? "");
  const charge = async () => (await stripe.charges.list({}, { stripeAccount: account })).data[0];
  const id = (await charge())?.id ?? "";

  const refund = (amount: number) =>
    sandbox.payments.refundCharge(id, { account, amount, idempotencyKey: crypto.randomUUID() });
  await refund(900);
  const part = await charge();
  await refund(4000);

  expect(part).toMatchObject({ application_fee_amount: 490, application_fee_refunded: 90 });
  expect(await charge()).toMatchObject({ application_fee_amount: 490, application_fee_refunded: 490 });
});

it("sells nothing before it has been set up", async () => {
  const account = await anAccount();

  const buying = buy(sandbox, { price: { account } });

  await expect(buying).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
});

it("can be given its customers' money back by the operator", async () => {
  const account = await anAccount("ready");
  const { latest_invoice: invoice } = await buy(sandbox, { price: { account } });
  const charges = await stripe.charges.list({}, { stripeAccount: account });
  const id = charges.data[0]?.id ?? "";

  const refunded = await sandbox.post(`/sandbox/charges/${id}/refund`);

  expect(refunded.status).toBe(200);
  expect(await stripe.charges.retrieve(id, {}, { stripeAccount: account })).toMatchObject({ refunded: true });
  await expect(chargeOf(sandbox, String(invoice))).rejects.toThrow();
});

it("is refused in Stripe's words when the platform does not have it", async () => {
  const inNobodys = { stripeAccount: "acct_somebodys" };

  const refusal = { statusCode: 403, code: "account_invalid" };

  await expect(stripe.prices.list({}, inNobodys)).rejects.toMatchObject(refusal);
  await expect(stripe.accounts.retrieve("acct_somebodys")).rejects.toMatchObject(refusal);
  await expect(
    stripe.accounts.retrieve(await anAccount(), {}, { stripeAccount: await anAccount() }),
  ).rejects.toMatchObject(refusal);
});
