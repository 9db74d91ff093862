import { expect, it } from "vitest";
import { createPayments } from "./index.ts";
import { EVERY_CALL } from "./tests/every-call.ts";
import { describePayments } from "./tests/payments-suite.ts";
import { openRecordedWay, type RecordedRequest } from "./tests/recorded-way.ts";
import { runSandbox, SECRET_KEY, WEBHOOK_SECRET } from "./tests/running-sandbox.ts";

const STRIPE_MOCK = new URL(process.env.STRIPE_MOCK_URL ?? "");
/** It takes every test key. */
const KEY = "sk_test_123";

const recorded: RecordedRequest[] = [];

// The suite runs on the sandbox, which keeps state; stripe-mock keeps none, but knows what Stripe takes.
describePayments("a sandbox whose requests are recorded", async () => {
  const sandbox = await runSandbox();
  const way = await openRecordedWay(sandbox.apiUrl, { onRequest: (request) => recorded.push(request) });
  const options = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, applicationFeePercent: 2.5 };
  return {
    ...sandbox,
    payments: createPayments({ ...options, ...way }),
    close: async () => {
      await way.close();
      await sandbox.close();
    },
  };
});

/** stripe-mock's answer to the same request. It is older than the anchor's object form (API version 2026-09-30). */
async function replay({ method, path, headers, body }: RecordedRequest): Promise<Response> {
  const form = new URLSearchParams(body);
  if (form.has("billing_cycle_anchor[type]")) {
    form.set("billing_cycle_anchor", form.get("billing_cycle_anchor[type]") ?? "");
    form.delete("billing_cycle_anchor[type]");
  }
  return await fetch(new URL(path, STRIPE_MOCK), {
    method,
    headers: { ...headers, authorization: `Bearer ${KEY}` },
    ...(body === "" ? {} : { body: form.toString() }),
  });
}

/** `POST /v1/prices/:id` */
function shapeOf({ method, path }: RecordedRequest): string {
  const [resource = ""] = path.split("?");
  return `${method} ${resource.replace(/\/(?:price|prod|cs|sub|in|ch|acct|tier)_.*$/, "/:id")}`;
}

it("has recorded every request that the adapter can make", () => {
  const found = recorded.filter(({ status }) => status === 200);

  expect([...new Set(found.map(shapeOf))].toSorted()).toEqual([
    "DELETE /v1/subscriptions/:id",
    "GET /v1/accounts/:id",
    "GET /v1/charges/:id",
    "GET /v1/checkout/sessions",
    "GET /v1/checkout/sessions/:id",
    "GET /v1/disputes",
    "GET /v1/invoice_payments",
    "GET /v1/invoices",
    "GET /v1/invoices/:id",
    "GET /v1/prices",
    "GET /v1/refunds",
    "GET /v1/subscriptions",
    "GET /v1/subscriptions/:id",
    "POST /v1/account_links",
    "POST /v1/accounts",
    "POST /v1/billing_portal/sessions",
    "POST /v1/checkout/sessions",
    "POST /v1/checkout/sessions/:id",
    "POST /v1/invoices/:id",
    "POST /v1/prices",
    "POST /v1/prices/:id",
    "POST /v1/products",
    "POST /v1/products/:id",
    "POST /v1/refunds",
    "POST /v1/subscriptions/:id",
  ]);
});

it("made only requests that Stripe takes, by Stripe's own description of its API", async () => {
  const refused: string[] = [];

  for (const request of recorded) {
    const response = await replay(request);
    const answer = await response.text();
    // An id that is none does not even lead to an object: the sandbox has answered 404 as well.
    const isTaken = response.ok || (response.status === 404 && request.status === 404);
    if (!isTaken) {
      refused.push(`${response.status} for ${request.method} ${request.path} ${request.body}: ${answer}`);
    }
  }

  expect(recorded.length).toBeGreaterThan(100);
  expect(refused).toEqual([]);
});

it.each([
  ["a parameter that there is not", "/v1/products", "name=Front+page&colour=red"],
  ["a parameter that is missing", "/v1/prices", "product=prod_1&unit_amount=100"],
  ["a value of another type", "/v1/prices/price_1", "active=perhaps"],
  ["a word that there is not", "/v1/subscriptions/sub_1", "pause_collection[behavior]=stop"],
])("detects %s", async (_what, path, body) => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };

  const response = await replay({ method: "POST", path, headers, body, status: 200 });

  expect(response.status).toBe(400);
});

it.each(EVERY_CALL)("%s reads the answer that Stripe's description gives", async (_name, call) => {
  const payments = createPayments({
    secretKey: KEY,
    webhookSecret: WEBHOOK_SECRET,
    host: STRIPE_MOCK.hostname,
    port: Number(STRIPE_MOCK.port),
    protocol: "http",
  });

  await expect(call(payments)).resolves.not.toThrow();
});
