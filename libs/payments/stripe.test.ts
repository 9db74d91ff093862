import type { IncomingMessage } from "node:http";
import { Stripe } from "stripe";
import { expect, it } from "vitest";
import { parseForm } from "#libs/payment-sandbox/engine/form-encoding.ts";
import type { CheckoutRequest } from "./index.ts";
import { API_VERSION } from "./stripe-request.ts";
import { A_CHECKOUT, EVERY_CALL } from "./tests/every-call.ts";
import { paymentsOn, refuseWith, send } from "./tests/fake-stripe.ts";

const ABOUT_ACCOUNTS = ["createAccount", "onboardingLink", "readAccount"];

/** What a call asks for first, of a processor that refuses. */
async function firstRequest(call: (typeof EVERY_CALL)[number][1], account: string | null) {
  const asked: IncomingMessage[] = [];
  const { payments } = await paymentsOn((request, response) => {
    asked.push(request);
    refuseWith(500, { type: "api_error" })(request, response);
  });
  await call(payments, account).catch(() => undefined);
  return asked[0]?.headers ?? {};
}

it.each(EVERY_CALL)("%s asks for the version that it is written for, which is the SDK's", async (_, call) => {
  const headers = await firstRequest(call, null);

  expect(headers["stripe-version"]).toBe(API_VERSION);
  expect(Stripe.API_VERSION).toBe(API_VERSION);
});

it.each(EVERY_CALL)(
  "%s names the account that it is about, unless it is the platform's",
  async (name, call) => {
    const connected = await firstRequest(call, "acct_1");
    const own = await firstRequest(call, null);

    expect(connected["stripe-account"]).toBe(ABOUT_ACCOUNTS.includes(name) ? undefined : "acct_1");
    expect(own["stripe-account"]).toBeUndefined();
  },
);

const CHECKOUT: CheckoutRequest = { ...A_CHECKOUT, account: "acct_1" };

/** What a checkout asks for, with a fee of 2.5 percent for the platform. */
async function checkoutForm(changes: Partial<CheckoutRequest>): Promise<unknown> {
  let form: unknown;
  const { payments } = await paymentsOn(
    async (request, response) => {
      form = parseForm(Buffer.concat(await request.toArray()).toString());
      const session = { object: "checkout.session", id: "cs_1", url: "http://127.0.0.1/", expires_at: 1 };
      send(response, 200, JSON.stringify(session));
    },
    { applicationFeePercent: 2.5 },
  );
  await payments.createCheckoutSession({ ...CHECKOUT, ...changes });
  return form;
}

it("takes the platform's fee of sales in connected accounts, and of no others", async () => {
  const connected = await checkoutForm({});
  const own = await checkoutForm({ account: null });

  expect(connected).toMatchObject({ subscription_data: { application_fee_percent: "2.5" } });
  expect(own).not.toHaveProperty("subscription_data.application_fee_percent");
});

it("sells in the price's currency alone", async () => {
  expect(await checkoutForm({})).toMatchObject({ adaptive_pricing: { enabled: "false" } });
});

it("asks for a trial where there is one, and for no card where nothing is to be paid", async () => {
  const tried = await checkoutForm({ trialDays: 14 });
  const free = await checkoutForm({ free: true, allowPromotionCodes: false });

  expect(tried).toMatchObject({
    payment_method_collection: "always",
    allow_promotion_codes: "true",
    subscription_data: { trial_period_days: "14" },
  });
  expect(free).toMatchObject({ payment_method_collection: "if_required", allow_promotion_codes: "false" });
  expect(free).not.toHaveProperty("subscription_data.trial_period_days");
});
