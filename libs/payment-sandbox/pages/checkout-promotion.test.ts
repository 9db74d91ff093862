import { afterAll, expect, it } from "vitest";
import { buy, invoicesOf } from "#libs/payments/tests/purchase.ts";
import { aPrice, openCheckout } from "#libs/payments/tests/requests.ts";
import { runSandbox } from "#libs/payments/tests/running-sandbox.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());

/** Sends the page's form as a browser does. */
function send(url: string, fields: Record<string, string>) {
  return fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
}

const PERSON = { email: "owner@harbour.example", name: "Harbour", card: "4242" };

it("shows the discounted total, and charges it", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);

  const shown = await send(`${url}/promotion`, { ...PERSON, promotionCode: "welcome20" });
  const paid = await send(`${url}/complete`, { ...PERSON, promotionCode: "welcome20" });

  const html = await shown.text();
  expect(html).toContain("<dt>WELCOME20: 20% off the first payment</dt><dd>−€9.80</dd>");
  expect(html).toContain("<button>Pay €39.20</button>");
  expect(html).toContain('value="owner@harbour.example"');
  expect(paid.status).toBe(303);
  const { subscriptionId } = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  const { paidAmount } = await sandbox.payments.readSubscription(subscriptionId ?? "", null);
  expect(paidAmount).toBe(3920);
});

it("lets a person see the new total before it is charged, when they pay with a code just typed in", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);

  const shown = await send(`${url}/complete`, { ...PERSON, promotionCode: "FIRSTFREE" });

  expect(shown.status).toBe(200);
  expect(await shown.text()).toContain("<button>Subscribe</button>");
  const { status } = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  expect(status).toBe("open");
});

it("takes the code away again when the field is emptied", async () => {
  const { url } = await openCheckout(sandbox.payments);
  await send(`${url}/promotion`, { ...PERSON, promotionCode: "WELCOME20" });

  const shown = await send(`${url}/promotion`, { ...PERSON, promotionCode: "" });

  expect(await shown.text()).toContain("<button>Pay €49.00</button>");
});

it.each([
  ["nonsense", "eur", "We don't know this code."],
  ["EXPIRED", "eur", "This code has expired."],
  ["USEDUP", "eur", "This code is used up."],
  ["FIVEOFF", "jpy", "This code isn't valid for prices in JPY."],
])(
  "refuses the code %s for a price in %s, and the session stays open at its price",
  async (code, currency, why) => {
    const { url, processorSessionId } = await openCheckout(sandbox.payments, aPrice({ currency }));

    const person = await send(`${url}/promotion`, { ...PERSON, promotionCode: code });
    const program = await sandbox.pay(url, { email: "ads@harbour.example", promotionCode: code });

    expect(person.status).toBe(400);
    expect(await person.text()).toContain(`role="alert" id="problem">${why.replaceAll("'", "&#39;")}`);
    expect(await program.json()).toMatchObject({ error: { code: "promotion_code_invalid", message: why } });
    const session = await sandbox.stripe.checkout.sessions.retrieve(processorSessionId);
    expect(session).toMatchObject({ status: "open", amount_total: 4900, discounts: [] });
  },
);

it("offers no field where the session takes no codes", async () => {
  const { url } = await openCheckout(sandbox.payments, aPrice(), { allowPromotionCodes: false });

  const html = await (await fetch(url)).text();
  const tried = await send(`${url}/promotion`, { ...PERSON, promotionCode: "WELCOME20" });

  expect(html).not.toContain("promotionCode");
  expect(tried.status).toBe(400);
});

it("takes the operator's own codes, as often as they allow", async () => {
  const made = await sandbox.post("/sandbox/promotion-codes", {
    code: "harbour",
    percentOff: 12.5,
    maxRedemptions: 1,
  });

  const { id } = await buy(sandbox, { payer: { promotionCode: " Harbour " } });

  expect(made.status).toBe(200);
  const [invoice] = await invoicesOf(sandbox, id);
  expect(invoice).toMatchObject({ total: 4287, total_discount_amounts: [{ amount: 613 }] });
  await expect(buy(sandbox, { payer: { promotionCode: "harbour" } })).rejects.toThrow("400");
});

it.each([
  ["three months", { percentOff: 10, months: 3 }, [4410, 4410, 4410, 4900]],
  ["every payment", { amountOff: 900, currency: "eur", months: "all" }, [4000, 4000, 4000, 4000]],
])("takes an operator's code off %s", async (_what, terms, amounts) => {
  const code = `OWN-${crypto.randomUUID()}`;
  await sandbox.post("/sandbox/promotion-codes", { code, ...terms });
  const { id } = await buy(sandbox, { payer: { promotionCode: code } });

  await sandbox.advance(95);

  expect((await invoicesOf(sandbox, id)).map(({ amount_paid }) => amount_paid)).toEqual(amounts);
});

it.each([
  ["no code", { percentOff: 10 }],
  ["a code in use", { code: "WELCOME20", percentOff: 10 }],
  ["nothing off", { code: "NOTHING" }],
  ["both a percentage and an amount", { code: "BOTH", percentOff: 10, amountOff: 100, currency: "eur" }],
  ["an amount without a currency", { code: "WHICH", amountOff: 100 }],
  ["more than everything", { code: "MORE", percentOff: 101 }],
  ["an unknown account", { code: "WHOSE", percentOff: 10, account: "acct_missing" }],
])("refuses an operator's code with %s", async (_what, fields) => {
  const refused = await sandbox.post("/sandbox/promotion-codes", fields);

  expect([400, 404, 422]).toContain(refused.status);
});
