import { afterAll, expect, it } from "vitest";
import { createPayments } from "./index.ts";
import { openRecordedWay, type RecordedRequest } from "./tests/recorded-way.ts";
import { aPrice, aWrite, openCheckout } from "./tests/requests.ts";
import { runSandbox, SECRET_KEY, WEBHOOK_SECRET } from "./tests/running-sandbox.ts";
import { all, subscribe } from "./tests/sales.ts";

const sandbox = await runSandbox();
const answered = new Set<string>();
const way = await openRecordedWay(sandbox.apiUrl, { isLost: isFirstAttempt });
const payments = createPayments({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, ...way });

afterAll(async () => {
  await way.close();
  await sandbox.close();
});

/** Whether it is the first attempt of a write. Reads come through, or every test would take its time. */
function isFirstAttempt({ method, path, headers }: RecordedRequest): boolean {
  const attempt = `${method} ${path} ${headers["idempotency-key"]}`;
  const isFirst = method !== "GET" && !answered.has(attempt);
  answered.add(attempt);
  return isFirst;
}

// Each of these does its work at the first attempt, whose answer never arrives.

it("makes one product and one price", async () => {
  const price = aPrice();

  const { processorPriceId } = await payments.ensurePrice(price);

  const { data } = await sandbox.stripe.prices.list({ product: price.tierId });
  expect(data.map(({ id }) => id)).toEqual([processorPriceId]);
});

it("opens one checkout", async () => {
  const started = await openCheckout(payments, aPrice(), { clientReferenceId: "only-one" });

  const { data } = await sandbox.stripe.checkout.sessions.list({ limit: 100 });
  const opened = data.filter((session) => session.client_reference_id === "only-one");
  expect(opened.map(({ id }) => id)).toEqual([started.processorSessionId]);
});

it("makes one connected account", async () => {
  const workspaceId = "ws_with_one_account";

  const { accountId } = await payments.createAccount({ workspaceId, idempotencyKey: "one-account" });

  const { data } = await sandbox.stripe.accounts.list({ limit: 100 });
  const made = data.filter((account) => account.metadata?.workspaceId === workspaceId);
  expect(made.map(({ id }) => id)).toEqual([accountId]);
});

it("pauses, resumes and ends a subscription, and says what has become of it", async () => {
  const { id } = await subscribe(sandbox);
  const paused = await payments.stopSubscription(id, { ...aWrite(), reason: "paused", at: Date.now() });
  const resumed = await payments.releaseSubscription(id, aWrite());
  const canceling = await payments.cancelSubscription(id, { ...aWrite(), atPeriodEnd: true });
  const ended = await payments.cancelSubscription(id, { ...aWrite(), atPeriodEnd: false });

  expect([paused.status, resumed.status, ended.status]).toEqual(["Paused", "Active", "Canceled"]);
  expect(canceling.cancelAtPeriodEnd).toBe(true);
});

it("refunds once", async () => {
  const { id: subscriptionId } = await subscribe(sandbox);
  const [invoice] = await all(payments.listInvoices({ account: null, since: 0, subscriptionId }));
  const charge = await payments.readChargeOfInvoice(invoice?.id ?? "", null);
  const request = { account: null, amount: 1000, idempotencyKey: "one-refund" };

  const made = await payments.refundCharge(charge?.id ?? "", request);
  const again = await payments.refundCharge(charge?.id ?? "", request);

  const { data } = await sandbox.stripe.refunds.list({ charge: charge?.id ?? "" });
  expect([made.id, again.id]).toEqual([data[0]?.id, data[0]?.id]);
  expect(data).toHaveLength(1);
});
