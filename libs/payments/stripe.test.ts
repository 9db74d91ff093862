import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Stripe } from "stripe";
import { afterEach, describe, expect, it } from "vitest";
import { createPayments, type Payments, PaymentsError } from "./index.ts";
import { API_VERSION } from "./stripe-version.ts";
import { aPrice } from "./tests/requests.ts";

const SECRET_KEY = "sk_test_never_shown";
const WEBHOOK_SECRET = "whsec_never_shown";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Payments on a processor that behaves as the listener does. */
async function paymentsOn(listener: Listener, options: { timeoutMs?: number; retries?: number } = {}) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  };
  closing.push(stop);
  const address = server.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  const payments = createPayments({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    host: "127.0.0.1",
    port,
    protocol: "http",
    retries: 0,
    ...options,
  });
  return { payments, stop };
}

const answerWith =
  (status: number, error: object): Listener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", "request-id": "req_1" });
    response.end(JSON.stringify({ error }));
  };

const CALLS: [string, (payments: Payments) => Promise<unknown>][] = [
  ["ensurePrice", (payments) => payments.ensurePrice(aPrice())],
  [
    "createCheckoutSession",
    (payments) =>
      payments.createCheckoutSession({
        account: null,
        trialDays: null,
        allowPromotionCodes: true,
        workspaceId: "ws_1",
        tierPriceId: "price_1",
        providerPriceId: "price_stripe",
        free: false,
        successUrl: "http://127.0.0.1/thanks",
        clientReferenceId: "chk_1",
        idempotencyKey: "chk_1",
      }),
  ],
  ["readCheckoutSession", (payments) => payments.readCheckoutSession("cs_1", null)],
  ["readSubscription", (payments) => payments.readSubscription("sub_1", null)],
  [
    "pauseSubscription",
    (payments) => payments.pauseSubscription("sub_1", { account: null, idempotencyKey: "p" }),
  ],
  [
    "resumeSubscription",
    (payments) => payments.resumeSubscription("sub_1", { account: null, idempotencyKey: "r" }),
  ],
  [
    "cancelSubscription",
    (payments) =>
      payments.cancelSubscription("sub_1", { account: null, atPeriodEnd: false, idempotencyKey: "c" }),
  ],
  [
    "portalLink",
    (payments) =>
      payments.portalLink({ account: null, providerCustomerId: "cus_1", returnUrl: "http://127.0.0.1/" }),
  ],
];

const FAULTS: [string, Listener, boolean][] = [
  ["limits the rate", answerWith(429, { type: "rate_limit_error", code: "rate_limit" }), true],
  ["fails", answerWith(500, { type: "api_error" }), true],
  ["is in maintenance", answerWith(503, { type: "api_error" }), true],
  ["still works on the same key", answerWith(409, { type: "idempotency_error" }), true],
  ["hangs up", (request) => request.socket.destroy(), true],
  ["refuses the card", answerWith(402, { type: "card_error", code: "card_declined" }), false],
  ["refuses a parameter", answerWith(400, { type: "invalid_request_error", param: "price" }), false],
  ["refuses the key", answerWith(401, { type: "invalid_request_error", message: SECRET_KEY }), false],
];

describe.each(CALLS)("%s", (_name, call) => {
  it.each(FAULTS)("fails clearly when the processor %s", async (_fault, listener, canRetry) => {
    const { payments } = await paymentsOn(listener);

    const error = await call(payments).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toMatchObject({ code: "PROCESSOR_FAILED", canRetry });
    expect(String(error)).not.toContain(SECRET_KEY);
  });

  it("fails in time when the processor does not answer", async () => {
    const { payments } = await paymentsOn(() => undefined, { timeoutMs: 50 });

    await expect(call(payments)).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: true });
  });

  it("fails clearly when the processor is gone", async () => {
    const { payments, stop } = await paymentsOn(() => undefined);
    await stop();

    await expect(call(payments)).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: true });
  });
});

it("repeats a write that got no answer under the same key", async () => {
  const keys: (string | undefined)[] = [];
  const { payments } = await paymentsOn(
    (request, response) => {
      keys.push(String(request.headers["idempotency-key"]));
      const session = { object: "billing_portal.session", url: "http://127.0.0.1/portal" };
      if (keys.length === 1) request.socket.destroy();
      else response.end(JSON.stringify(session));
    },
    { retries: 2 },
  );

  const link = await payments.portalLink({
    account: null,
    providerCustomerId: "cus_1",
    returnUrl: "http://127.0.0.1/",
  });

  expect(link).toBe("http://127.0.0.1/portal");
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

it("asks for the version of the API that it is written for, which is the SDK's", async () => {
  let asked: unknown;
  const { payments } = await paymentsOn((request, response) => {
    asked = request.headers["stripe-version"];
    answerWith(500, { type: "api_error" })(request, response);
  });

  await payments.readSubscription("sub_1", null).catch(() => undefined);

  expect(asked).toBe(API_VERSION);
  expect(Stripe.API_VERSION).toBe(API_VERSION);
});

describe("parseWebhook", () => {
  const payments = createPayments({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });
  const payload = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "customer.subscription.updated",
    created: 1_795_258_057,
    data: { object: { id: "sub_1", object: "subscription" } },
  });
  const sign = (options: { secret?: string; timestamp?: number; payload?: string } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, ...options });

  it("reads a signed event", () => {
    const event = payments.parseWebhook(Buffer.from(payload), sign());

    expect(event).toEqual({
      id: "evt_1",
      type: "customer.subscription.updated",
      account: null,
      createdAt: 1_795_258_057_000,
      subject: { kind: "subscription", subscriptionId: "sub_1" },
    });
  });

  it("takes an event of a type it does not know for one about something else", () => {
    const unknown = payload.replace("customer.subscription.updated", "brand.new.thing");

    const event = payments.parseWebhook(Buffer.from(unknown), sign({ payload: unknown }));

    expect(event).toMatchObject({ type: "brand.new.thing", subject: { kind: "other" } });
  });

  it.each([
    ["no signature", payload, undefined],
    ["an empty signature", payload, ""],
    ["nonsense for a signature", payload, "t=abc,v1=\u0000"],
    ["a signature by another secret", payload, sign({ secret: "whsec_somebody_else" })],
    ["a signature of another body", payload.replace("sub_1", "sub_2"), sign()],
    [
      "a signature older than five minutes",
      payload,
      sign({ timestamp: Math.floor(Date.now() / 1000) - 301 }),
    ],
    ["a signed body that is no JSON", "{", sign({ payload: "{" })],
    ["an empty body", "", sign()],
  ])("refuses %s", (_what, body, signature) => {
    const parse = () => payments.parseWebhook(Buffer.from(body), signature);

    expect(parse).toThrow(expect.objectContaining({ code: "BAD_SIGNATURE", canRetry: false }));
  });
});
