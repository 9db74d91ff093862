import { afterAll, beforeAll, expect, it } from "vitest";
import { aPrice, openCheckout } from "../tests/requests.ts";
import { type RunningSandbox, runSandbox } from "../tests/running-sandbox.ts";

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await runSandbox();
});

afterAll(() => sandbox.close());

/** Sends the page's form as a browser does. */
function send(url: string, fields: Record<string, string>) {
  return fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
}

const PERSON = { email: "owner@harbour.example", name: "Harbour", card: "4242" };

it("shows the discounted total, and charges it", async () => {
  const { url, providerSessionId } = await openCheckout(sandbox.payments);

  const shown = await send(`${url}/promotion`, { ...PERSON, promotionCode: "welcome20" });
  const paid = await send(`${url}/complete`, { ...PERSON, promotionCode: "welcome20" });

  const html = await shown.text();
  expect(html).toContain("<dt>WELCOME20: 20% off the first payment</dt><dd>−€9.80</dd>");
  expect(html).toContain("<button>Pay €39.20</button>");
  expect(html).toContain('value="owner@harbour.example"');
  expect(paid.status).toBe(303);
  const { subscriptionId } = await sandbox.payments.readCheckoutSession(providerSessionId, null);
  const { paidAmount } = await sandbox.payments.readSubscription(subscriptionId ?? "", null);
  expect(paidAmount).toBe(3920);
});

it("lets a person see the new total before it is charged, when they pay with a code just typed in", async () => {
  const { url, providerSessionId } = await openCheckout(sandbox.payments);

  const shown = await send(`${url}/complete`, { ...PERSON, promotionCode: "FIRSTFREE" });

  expect(shown.status).toBe(200);
  expect(await shown.text()).toContain("<button>Subscribe</button>");
  const { status } = await sandbox.payments.readCheckoutSession(providerSessionId, null);
  expect(status).toBe("open");
});

it("takes the code away again when the field is emptied", async () => {
  const { url } = await openCheckout(sandbox.payments);
  await send(`${url}/promotion`, { ...PERSON, promotionCode: "WELCOME20" });

  const shown = await send(`${url}/promotion`, { ...PERSON, promotionCode: "" });

  expect(await shown.text()).toContain("<button>Pay €49.00</button>");
});

it.each([
  ["nonsense", "eur", "This code is not known."],
  ["EXPIRED", "eur", "This code has expired."],
  ["USEDUP", "eur", "This code is used up."],
  ["FIVEOFF", "jpy", "This code does not hold for prices in JPY."],
])(
  "refuses the code %s for a price in %s, and the session stays open at its price",
  async (code, currency, why) => {
    const { url, providerSessionId } = await openCheckout(sandbox.payments, aPrice({ currency }));

    const person = await send(`${url}/promotion`, { ...PERSON, promotionCode: code });
    const program = await sandbox.pay(url, { email: "ads@harbour.example", promotionCode: code });

    expect(person.status).toBe(400);
    expect(await person.text()).toContain(`role="alert" id="problem">${why}`);
    expect(await program.json()).toMatchObject({ error: { code: "promotion_code_invalid", message: why } });
    const session = await sandbox.stripe.checkout.sessions.retrieve(providerSessionId);
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
