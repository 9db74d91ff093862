import type { IncomingMessage, RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { PaymentsError } from "./index.ts";
import { EVERY_CALL } from "./tests/every-call.ts";
import { answerWith, paymentsOn, refuseWith, SECRET_KEY, send } from "./tests/fake-stripe.ts";
import { aPrice } from "./tests/requests.ts";

const dribble: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 10);
  response.on("close", () => clearInterval(timer));
};

const keepSilent: RequestListener = () => undefined;

const NEVER_ANSWERED: ReadonlySet<RequestListener> = new Set([keepSilent, dribble]);

const stopHalfway: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"object": "sub', () => response.destroy());
};

/** What the processor does, and whether the same call may go through later. */
const FAULTS: readonly (readonly [string, RequestListener, boolean])[] = [
  ["limits the rate", refuseWith(429, { type: "rate_limit_error", code: "rate_limit" }), true],
  ["fails", refuseWith(500, { type: "api_error" }), true],
  ["repeats a failure", refuseWith(500, { type: "api_error" }, { "idempotent-replayed": "true" }), false],
  ["is in maintenance", refuseWith(503, { type: "api_error" }), true],
  ["still works on the same key", refuseWith(409, { type: "idempotency_error" }), true],
  ["hangs up", (request) => request.socket.destroy(), true],
  ["does not answer", keepSilent, true],
  ["answers byte by byte", dribble, true],
  ["stops in the middle of its answer", stopHalfway, true],
  ["answers with a page", (_request, response) => send(response, 200, "<h1>Hello</h1>"), true],
  ["answers with a page that says it is away", (_, response) => send(response, 502, "<h1>Oh</h1>"), true],
  ["answers as a gateway would, in JSON", answerWith(502, { message: "Bad gateway" }), true],
  ["answers with nothing in JSON", answerWith(200, {}), true],
  ["answers with something else", answerWith(200, { object: "balance", available: [] }), true],
  ["answers null", answerWith(200, null), false],
  ["refuses the card", refuseWith(402, { type: "card_error", code: "card_declined" }), false],
  ["refuses a parameter", refuseWith(400, { type: "invalid_request_error", param: "x" }), false],
  ["refuses the key", refuseWith(401, { type: "invalid_request_error", message: SECRET_KEY }), false],
  ["wants another permission", refuseWith(403, { type: "invalid_request_error" }), false],
];

describe.each(EVERY_CALL)("%s", (_name, call) => {
  it.each(FAULTS)("fails clearly and in time when the processor %s", async (_fault, listener, canRetry) => {
    // Only who never gets an answer is to give up; a machine that is busy must not make one of the others.
    const timeoutMs = NEVER_ANSWERED.has(listener) ? 100 : 20_000;
    const { payments } = await paymentsOn(listener, { timeoutMs });

    const error = await call(payments).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toMatchObject({ code: "PROCESSOR_FAILED", canRetry });
    expect(String(error)).not.toContain(SECRET_KEY);
  });

  it("fails clearly when the processor is gone", async () => {
    const { payments, stop } = await paymentsOn(() => undefined);
    await stop();

    await expect(call(payments)).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: true });
  });
});

interface Attempt {
  readonly request: string;
  readonly key: string | undefined;
  readonly body: string;
}

async function noteAttempt(request: IncomingMessage, attempts: Attempt[]): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString();
  const key = request.headers["idempotency-key"];
  attempts.push({
    request: `${request.method} ${request.url}`,
    key: typeof key === "string" ? key : undefined,
    body,
  });
}

it("tries every call a bounded number of times, each write under one key with one body", async () => {
  const tried = await Promise.all(
    EVERY_CALL.map(async ([name, call]) => {
      const attempts: Attempt[] = [];
      const { payments } = await paymentsOn(
        async (request, response) => {
          await noteAttempt(request, attempts);
          send(response, 500, JSON.stringify({ error: { type: "api_error" } }));
        },
        { retries: 2 },
      );
      await call(payments).catch(() => undefined);
      return { name, attempts };
    }),
  );

  for (const { name, attempts } of tried) {
    expect(attempts, name).toHaveLength(3);
    expect(new Set(attempts.map((attempt) => JSON.stringify(attempt))).size, name).toBe(1);
    const isPost = attempts[0]?.request.startsWith("POST") === true;
    expect(attempts[0]?.key !== undefined, name).toBe(isPost);
  }
});

it("gets over a failure that is kept under a price's key, which would else block its sale for a day", async () => {
  const failed = new Set<string>();
  const { payments } = await paymentsOn((request, response) => {
    const key = String(request.headers["idempotency-key"]);
    const answer = (body: object) => send(response, 200, JSON.stringify(body));
    if (request.method === "GET") answer({ object: "list", data: [], has_more: false });
    else if (request.url === "/v1/products") answer({ object: "product", id: "prod_1" });
    else if (failed.size > 0 && !failed.has(key)) answer({ object: "price", id: "p_1", product: "prod_1" });
    else {
      const headers: Record<string, string> = failed.has(key) ? { "idempotent-replayed": "true" } : {};
      failed.add(key);
      send(response, 500, JSON.stringify({ error: { type: "api_error" } }), headers);
    }
  });
  const price = aPrice();

  const first = payments.ensurePrice(price);
  await expect(first).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: true });
  const second = await payments.ensurePrice(price);

  expect(second).toEqual({ processorProductId: "prod_1", processorPriceId: "p_1" });
});

it("finds the price that a concurrent call created after the first lookup", async () => {
  let looks = 0;
  const { payments } = await paymentsOn((request, response) => {
    const price = { object: "price", id: "price_theirs", product: "prod_theirs" };
    if (request.method === "GET") {
      looks += 1;
      const data = looks === 1 ? [] : [price];
      send(response, 200, JSON.stringify({ object: "list", data, has_more: false }));
    } else if (request.url === "/v1/products") {
      const error = { type: "invalid_request_error", code: "resource_already_exists" };
      send(response, 400, JSON.stringify({ error }));
    } else {
      const error = { type: "invalid_request_error", param: "lookup_key" };
      send(response, 400, JSON.stringify({ error }));
    }
  });

  const found = await payments.ensurePrice(aPrice());

  expect(found).toEqual({ processorProductId: "prod_theirs", processorPriceId: "price_theirs" });
});

it("says of every call in an account that has disconnected that it is gone", async () => {
  const { payments } = await paymentsOn(
    refuseWith(403, { type: "invalid_request_error", code: "account_invalid" }),
  );

  await expect(payments.readAccount("acct_1")).rejects.toMatchObject({ code: "ACCOUNT_GONE" });
  await expect(payments.readSubscription("sub_1", "acct_1")).rejects.toMatchObject({
    code: "ACCOUNT_GONE",
    canRetry: false,
  });
});
