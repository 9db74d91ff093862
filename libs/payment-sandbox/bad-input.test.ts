import { afterAll, beforeAll, expect, it } from "vitest";
import { buy } from "#libs/payments/tests/purchase.ts";
import { openCheckout } from "#libs/payments/tests/requests.ts";
import { type RunningSandbox, runSandbox, SECRET_KEY } from "#libs/payments/tests/running-sandbox.ts";

let sandbox: RunningSandbox;
let paths: string[];

beforeAll(async () => {
  sandbox = await runSandbox();
  const { customer, id, latest_invoice: invoice } = await buy(sandbox);
  const portal = await sandbox.stripe.billingPortal.sessions.create({ customer: String(customer) });
  const { url } = await openCheckout(sandbox.payments);
  const { id: account } = await sandbox.stripe.accounts.create({});
  const link = await sandbox.stripe.accountLinks.create({
    account,
    type: "account_onboarding",
    refresh_url: "http://127.0.0.1/again",
    return_url: "http://127.0.0.1/back",
  });
  const [charge] = (await sandbox.stripe.charges.list()).data;
  const [checkout, portals, onboarding] = [url, portal.url, link.url].map((page) => new URL(page).pathname);
  paths = [
    ...["complete", "promotion", "decline", "approve", "refuse"].map((step) => `${checkout}/${step}`),
    ...["card", `subscriptions/${id}/cancel`].map((step) => `${portals}/${step}`),
    `/sandbox/invoices/${String(invoice)}/pay`,
    `${onboarding}/complete`,
    "/sandbox/clock/advance",
    "/sandbox/settings",
    "/sandbox/promotion-codes",
    `/sandbox/charges/${charge?.id}/refund`,
    `/sandbox/charges/${charge?.id}/dispute`,
    "/sandbox/disputes/%00/close",
    "/sandbox/checkout/%F0%9F%92%A9/complete",
  ];
});

afterAll(() => sandbox.close());

const FIELDS = [
  "email",
  "name",
  "card",
  "promotionCode",
  "feedback",
  "comment",
  "end",
  "days",
  "amount",
  "reason",
  "code",
  "percentOff",
  "months",
  "account",
];
const every = (value: unknown) => JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value])));

it.each([
  ["malformed JSON", "{", "application/json"],
  ["an array", "[]", "application/json"],
  ["null", "null", "application/json"],
  ["a number", "7", "application/json"],
  ["objects for texts", every({ toString: 1 }), "application/json"],
  ["lists for texts", every([[]]), "application/json"],
  ["nulls for texts", every(null), "application/json"],
  ["lone surrogates", every("\ud800"), "application/json"],
  ["null bytes", every("\0"), "application/json"],
  ["a prototype's name", every("__proto__"), "application/json"],
  ["huge texts", every("x".repeat(1400)), "application/json"],
  [
    "nested form fields",
    FIELDS.map((field) => `${field}[a][b]=1`).join("&"),
    "application/x-www-form-urlencoded",
  ],
  ["broken form encoding", "email=%E0%A4%A", "application/x-www-form-urlencoded"],
  ["no content type that anybody knows", "\u0001\u0002", "application/octet-stream"],
])("answers %s on every page with a refusal at most, never a failure", async (_what, body, type) => {
  const answers = await Promise.all(
    paths.map(async (path) => {
      const url = new URL(path, sandbox.pagesUrl);
      const init = { method: "POST", body, headers: { "content-type": type }, redirect: "manual" } as const;
      return [path, (await fetch(url, init)).status] as const;
    }),
  );

  expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
});

it("answers the like at the API with a refusal at most, never a failure", async () => {
  const bodies = [
    "a[b]=1&a=2",
    "expand[a]=b",
    "expand[]=a.b.c.d.e",
    "metadata[]=x",
    "limit[gte]=1",
    "=",
    "x".repeat(9000),
  ];
  const calls = [
    "products",
    "prices",
    "checkout/sessions",
    "billing_portal/sessions",
    "accounts",
    "account_links",
  ];
  const accounts = ["", "acct_missing", "../..", "%00"];

  const statuses = await Promise.all(
    calls.flatMap((call) =>
      bodies.flatMap((body) =>
        accounts.map(async (account) => {
          const headers = {
            authorization: `Bearer ${SECRET_KEY}`,
            "content-type": "application/x-www-form-urlencoded",
            "stripe-account": account,
          };
          return (await fetch(`${sandbox.apiUrl}/v1/${call}`, { method: "POST", headers, body })).status;
        }),
      ),
    ),
  );

  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});

it.each([
  [{ currency: "usd", unit_amount: 100_000_000 }, "unit_amount", "amount_too_large"],
  [{ currency: "idr", unit_amount: 1_000_000_000_000 }, "unit_amount", "amount_too_large"],
  [{ currency: "kwd", unit_amount: 4901 }, "unit_amount", undefined],
  [{ currency: "ugx", unit_amount: 12_345 }, "unit_amount", undefined],
  [{ currency: "cuc", unit_amount: 100 }, "currency", undefined],
  [{ currency: "xdr", unit_amount: 100 }, "currency", undefined],
])("refuses %j as a price, as Stripe does", async (terms, param, code) => {
  const product = (await sandbox.stripe.products.create({ name: "Gold" })).id;

  const made = sandbox.stripe.prices.create({ product, recurring: { interval: "month" }, ...terms });

  await expect(made).rejects.toMatchObject({ statusCode: 400, param, code });
});
