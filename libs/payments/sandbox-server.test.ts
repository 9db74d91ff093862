import { writeFile } from "node:fs/promises";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { openState } from "#libs/payment-sandbox/engine/state.ts";
import { startSandbox } from "#libs/payment-sandbox/index.ts";
import { createPayments } from "./index.ts";
import { describePayments } from "./tests/payments-suite.ts";
import { aPrice, openCheckout } from "./tests/requests.ts";
import {
  openInbox,
  type RunningSandbox,
  runSandbox,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from "./tests/running-sandbox.ts";

describePayments("the sandbox", () => runSandbox());

async function started(): Promise<RunningSandbox> {
  const sandbox = await runSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function inbox(answer?: (attempt: number) => number) {
  const opened = await openInbox(answer);
  onTestFinished(() => opened.close());
  return opened;
}

it("announces a paid checkout in signed webhooks that the adapter understands", async () => {
  const sandbox = await started();
  const { url, receive } = await inbox();
  sandbox.deliverTo(url);
  const { processorSessionId, url: page } = await openCheckout(sandbox.payments);

  await sandbox.pay(page);

  const completed = await receive("checkout.session.completed");
  const checkout = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  expect(checkout).toMatchObject({ status: "complete", url: null, email: "ads@harbour.example" });
  expect(completed.subject).toEqual({ kind: "checkout", checkout });
  const invoice = await receive("invoice.paid");
  expect(invoice.subject).toMatchObject({ kind: "invoice", subscriptionId: checkout.subscriptionId });
});

it("sends each event once and in order while all are accepted", async () => {
  const sandbox = await started();
  const { url, events, receive } = await inbox();
  sandbox.deliverTo(url);
  const { processorSessionId, url: page } = await openCheckout(sandbox.payments);
  await sandbox.pay(page);
  const { subscriptionId } = await sandbox.payments.readCheckoutSession(processorSessionId, null);

  await sandbox.payments.cancelSubscription(subscriptionId ?? "", {
    atPeriodEnd: false,
    account: null,
    idempotencyKey: "end",
  });

  await receive("customer.subscription.deleted");
  expect(events.map(({ type }) => type)).toEqual([
    "customer.created",
    "customer.subscription.created",
    "invoice.created",
    "invoice.finalized",
    "invoice.paid",
    "customer.subscription.updated",
    "checkout.session.completed",
    "customer.subscription.deleted",
  ]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
});

it("keeps its state and its queued webhooks over a restart", async () => {
  const sandbox = await started();
  const { url, receive } = await inbox();
  const { processorSessionId, url: page } = await openCheckout(sandbox.payments);
  await sandbox.pay(page);

  await sandbox.restart();
  sandbox.deliverTo(url);

  const completed = await receive("checkout.session.completed");
  expect(completed.subject).toMatchObject({ kind: "checkout", checkout: { id: processorSessionId } });
  const { subscriptionId } = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  expect(await sandbox.payments.readSubscription(subscriptionId ?? "", null)).toMatchObject({
    status: "Active",
  });
});

it("finds a price again when the idempotency key that it was made with is forgotten", async () => {
  const sandbox = await started();
  const price = aPrice();
  const made = await sandbox.payments.ensurePrice(price);

  await sandbox.restart(() => {
    const state = openState(sandbox.stateFile);
    state.setClockOffset(2 * 86_400);
    state.close();
  });
  const found = await sandbox.payments.ensurePrice(price);

  expect(found).toEqual(made);
});

it("refuses a wrong key without repeating it", async () => {
  const sandbox = await started();
  const { hostname, port } = new URL(sandbox.apiUrl);
  const payments = createPayments({
    secretKey: "sk_test_somebody_else",
    webhookSecret: WEBHOOK_SECRET,
    host: hostname,
    port: Number(port),
    protocol: "http",
  });

  const reading = payments.readSubscription("sub_any", null);

  await expect(reading).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
  await expect(reading).rejects.not.toThrow("somebody_else");
});

it.each([
  ["an unknown parameter", "POST", "/v1/products", "name=Gold&colour=red", "parameter_unknown", "colour"],
  ["a missing parameter", "POST", "/v1/products", "id=tier_1", "parameter_missing", "name"],
  ["a null byte", "POST", "/v1/products", "name=Go%00ld", undefined, undefined],
  ["broken encoding", "POST", "/v1/products", "name=%E0%A4%A", undefined, undefined],
  ["a prototype's name", "POST", "/v1/products", "name=x&metadata[__proto__][a]=1", undefined, undefined],
  [
    "a nested parameter of the wrong kind",
    "POST",
    "/v1/prices",
    "product=p&unit_amount=1&currency=eur&recurring[interval]=hour",
    "parameter_invalid",
    "recurring[interval]",
  ],
  [
    "a period of more than three years",
    "POST",
    "/v1/prices",
    "product=p&unit_amount=1&currency=eur&recurring[interval]=month&recurring[interval_count]=37",
    "parameter_invalid",
    "recurring",
  ],
  [
    "an address that is not on the web",
    "POST",
    "/v1/checkout/sessions",
    "mode=subscription&line_items[0][price]=p&line_items[0][quantity]=1&success_url=javascript:alert(1)",
    "parameter_invalid",
    "success_url",
  ],
])("answers %s with 400 in Stripe's form", async (_what, method, path, body, code, param) => {
  const sandbox = await started();

  const response = await fetch(`${sandbox.apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body,
  });

  expect(response.status).toBe(400);
  const { error } = await response.json();
  expect(error).toMatchObject({ type: "invalid_request_error", message: expect.any(String) });
  expect(error.code).toBe(code);
  expect(error.param).toBe(param);
});

it("says in one sentence that the state is damaged or in use", async () => {
  const sandbox = await started();
  const options = {
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: new URL("http://127.0.0.1/"),
    logger: pino({ level: "silent" }),
  };
  const damaged = `${sandbox.stateFile}.damaged`;
  await writeFile(damaged, "not a database ".repeat(100));

  const second = startSandbox({ ...options, stateFile: sandbox.stateFile });
  const broken = startSandbox({ ...options, stateFile: damaged });

  await expect(second).rejects.toThrow(/state file .* cannot be used: database is locked/);
  await expect(broken).rejects.toThrow(/state file .* cannot be used: file is not a database/);
});
