import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { createPayments } from "./index.ts";
import { API_VERSION } from "./stripe-request.ts";
import { SECRET_KEY, WEBHOOK_SECRET } from "./tests/fake-stripe.ts";

const payments = createPayments({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });

/** An event as Stripe sends it. */
function anEvent(type: string, object: object, changes: object = {}): string {
  return JSON.stringify({
    id: "evt_1",
    object: "event",
    api_version: API_VERSION,
    created: 1_795_258_057,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...changes,
  });
}

const payload = anEvent("customer.subscription.updated", { id: "sub_1", object: "subscription" });

function sign(options: { secret?: string; timestamp?: number; payload?: string } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, ...options });
}

function parse(body: string) {
  return payments.parseWebhook(Buffer.from(body), sign({ payload: body }));
}

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

it("reads where an event of a connected account happened", () => {
  const connected = anEvent("invoice.paid", { id: "in_1", parent: null }, { account: "acct_1" });

  expect(parse(connected)).toMatchObject({ account: "acct_1" });
});

it("takes the signature of each endpoint whose secret it has", () => {
  const two = createPayments({ secretKey: SECRET_KEY, webhookSecret: ["whsec_platform", "whsec_connect"] });

  for (const secret of ["whsec_platform", "whsec_connect"]) {
    expect(two.parseWebhook(Buffer.from(payload), sign({ secret })).id).toBe("evt_1");
  }
  expect(() => two.parseWebhook(Buffer.from(payload), sign({ secret: "whsec_other" }))).toThrow(
    expect.objectContaining({ code: "BAD_SIGNATURE" }),
  );
});

const OF_SUBSCRIPTION = {
  id: "in_1",
  object: "invoice",
  parent: { type: "subscription_details", subscription_details: { subscription: "sub_1" } },
};
const INVOICE = { kind: "invoice", invoiceId: "in_1", subscriptionId: "sub_1" };
const DISPUTE = { id: "dp_1", object: "dispute", charge: "ch_1" };
const CHARGE = { kind: "charge", chargeId: "ch_1" };
const SESSION = {
  id: "cs_1",
  object: "checkout.session",
  status: "complete",
  url: null,
  expires_at: 1_795_344_457,
  client_reference_id: "ws_1",
  subscription: "sub_1",
  customer: "cus_1",
  customer_details: { email: "ads@harbour.example", name: "Harbour Coffee" },
  customer_email: null,
  metadata: { workspaceId: "ws_1" },
};
const CHECKOUT = {
  kind: "checkout",
  checkout: { id: "cs_1", status: "complete", subscriptionId: "sub_1", email: "ads@harbour.example" },
};

const SUBJECTS: readonly [type: string, object: object, subject: object][] = [
  ["checkout.session.completed", SESSION, CHECKOUT],
  ["checkout.session.async_payment_succeeded", SESSION, CHECKOUT],
  ["checkout.session.async_payment_failed", SESSION, CHECKOUT],
  ["checkout.session.expired", { ...SESSION, status: "expired" }, { kind: "checkout" }],
  ...["created", "updated", "deleted", "paused", "resumed", "trial_will_end"].map(
    (what): [string, object, object] => [
      `customer.subscription.${what}`,
      { id: "sub_1", object: "subscription" },
      { kind: "subscription", subscriptionId: "sub_1" },
    ],
  ),
  ["invoice.finalized", OF_SUBSCRIPTION, INVOICE],
  ["invoice.paid", OF_SUBSCRIPTION, INVOICE],
  ["invoice.payment_failed", OF_SUBSCRIPTION, INVOICE],
  ["invoice.payment_action_required", OF_SUBSCRIPTION, INVOICE],
  ["invoice.marked_uncollectible", OF_SUBSCRIPTION, INVOICE],
  ["invoice.voided", OF_SUBSCRIPTION, INVOICE],
  ["invoice.paid", { ...OF_SUBSCRIPTION, parent: null }, { ...INVOICE, subscriptionId: null }],
  ["charge.refunded", { id: "ch_1", object: "charge" }, CHARGE],
  ["charge.dispute.created", DISPUTE, CHARGE],
  ["charge.dispute.updated", DISPUTE, CHARGE],
  ["charge.dispute.closed", DISPUTE, CHARGE],
  ["charge.dispute.funds_withdrawn", DISPUTE, CHARGE],
  ["charge.dispute.funds_reinstated", { ...DISPUTE, charge: { id: "ch_1", object: "charge" } }, CHARGE],
  ["refund.updated", { id: "re_1", object: "refund", charge: "ch_1" }, CHARGE],
  ["refund.failed", { id: "re_1", object: "refund", charge: "ch_1" }, CHARGE],
  ["refund.failed", { id: "re_1", object: "refund", charge: null }, { kind: "other" }],
  ["account.updated", { id: "acct_1", object: "account" }, { kind: "account", accountId: "acct_1" }],
  ["account.application.deauthorized", { id: "ca_1", object: "application" }, { kind: "other" }],
  ["customer.created", { id: "cus_1", object: "customer" }, { kind: "other" }],
  ["brand.new.thing", { id: "new_1" }, { kind: "other" }],
];

it.each(SUBJECTS)("says what %s is about", (type, object, subject) => {
  expect(parse(anEvent(type, object)).subject).toMatchObject(subject);
});

it("handles exactly the events and the API version that the manual tells operators to select", async () => {
  const manual = await readFile(join(import.meta.dirname, "..", "..", "infra", "docs", "stripe.md"), "utf8");

  const listed = manual.match(/^ *[a-z_]+(?:\.[a-z_]+)+$/gm)?.map((line) => line.trim());

  const actedOn = SUBJECTS.filter(([, , subject]) => !("kind" in subject) || subject.kind !== "other");
  const types = new Set([...actedOn.map(([type]) => type), "account.application.deauthorized"]);
  expect(listed?.toSorted()).toEqual([...types].toSorted());
  expect(manual).toContain(`API version \`${API_VERSION}\``);
});

it("says which account has disconnected", () => {
  const left = anEvent("account.application.deauthorized", { id: "ca_1" }, { account: "acct_1" });

  expect(parse(left).subject).toEqual({ kind: "account", accountId: "acct_1" });
});

it("says so when the processor has signed what is not understood", () => {
  const halfASession = anEvent("checkout.session.completed", { id: "cs_1", status: "complete" });

  expect(() => parse(halfASession)).toThrow(expect.objectContaining({ code: "BAD_EVENT" }));
});

describe("what it refuses", () => {
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
  ])("is %s", (_what, body, signature) => {
    const refused = () => payments.parseWebhook(Buffer.from(body), signature);

    expect(refused).toThrow(expect.objectContaining({ code: "BAD_SIGNATURE", canRetry: false }));
  });
});
