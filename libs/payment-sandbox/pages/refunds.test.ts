import type { Stripe } from "stripe";
import { afterAll, expect, it } from "vitest";
import { buy, chargeOf } from "#libs/payments/tests/purchase.ts";
import { openInbox, runSandbox } from "#libs/payments/tests/running-sandbox.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());
const { stripe } = sandbox;
const inbox = await openInbox();
afterAll(() => inbox.close());
sandbox.deliverTo(inbox.url);

async function aCharge(): Promise<Stripe.Charge> {
  const { latest_invoice: invoice } = await buy(sandbox);
  return await chargeOf(sandbox, String(invoice));
}

function refund(charge: string, terms: object = {}): Promise<Response> {
  return sandbox.post(`/sandbox/charges/${charge}/refund`, terms);
}

/** Resolves once an event of the type about the charge has arrived. */
function announced(type: string, chargeId: string) {
  return expect
    .poll(() => inbox.events.filter((event) => event.type === type).map(({ subject }) => subject), {
      timeout: 10_000,
    })
    .toContainEqual({ kind: "charge", chargeId });
}

it("refunds a part, then the rest, and emits both", async () => {
  const charge = await aCharge();

  const part = await refund(charge.id, { amount: 900, reason: "duplicate" });
  const between = await stripe.charges.retrieve(charge.id);
  const rest = await refund(charge.id);

  expect(await part.json()).toMatchObject({ object: "refund", amount: 900, reason: "duplicate" });
  expect(between).toMatchObject({ amount_refunded: 900, refunded: false });
  expect(await rest.json()).toMatchObject({
    amount: 4000,
    status: "succeeded",
    payment_intent: charge.payment_intent,
  });
  const after = await stripe.charges.retrieve(charge.id);
  const refunds = await stripe.refunds.list({ charge: charge.id });
  expect(after).toMatchObject({ amount_refunded: 4900, refunded: true });
  expect(refunds.data.map(({ amount }) => amount)).toEqual([4000, 900]);
  await announced("charge.refunded", charge.id);
});

it("refunds no more than was charged", async () => {
  const { id } = await aCharge();

  const tooMuch = await refund(id, { amount: 4901 });
  await refund(id);
  const again = await refund(id);

  expect(tooMuch.status).toBe(400);
  expect(await tooMuch.json()).toMatchObject({ error: { param: "amount" } });
  expect(await again.json()).toMatchObject({ error: { code: "charge_already_refunded" } });
  expect((await stripe.refunds.list({ charge: id })).data).toHaveLength(1);
});

it.each(["won", "lost"])("opens a dispute and closes it as %s", async (outcome) => {
  const charge = await aCharge();

  const opened = await sandbox.post(`/sandbox/charges/${charge.id}/dispute`, { reason: "unrecognized" });
  const dispute = await opened.json();
  const again = await sandbox.post(`/sandbox/charges/${charge.id}/dispute`);
  const closed = await sandbox.post(`/sandbox/disputes/${dispute.id}/close`, { outcome });

  expect(dispute).toMatchObject({ reason: "unrecognized", status: "needs_response", amount: 4900 });
  expect(again.status).toBe(400);
  expect(await closed.json()).toMatchObject({ status: outcome });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true });
  // The bank gives the money back to the seller who wins.
  const refunded = await (await refund(charge.id)).json();
  expect(refunded).toMatchObject(
    outcome === "won" ? { amount: 4900 } : { error: { code: "charge_disputed" } },
  );
  await announced("charge.dispute.created", charge.id);
  await announced("charge.dispute.closed", charge.id);
});

it("answers 404 for charges and disputes that do not exist", async () => {
  const answers = await Promise.all([
    sandbox.post("/sandbox/charges/ch_missing/refund"),
    sandbox.post("/sandbox/charges/ch_missing/dispute"),
    sandbox.post("/sandbox/disputes/du_missing/close", { outcome: "won" }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});
