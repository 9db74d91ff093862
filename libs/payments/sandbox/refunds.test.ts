import type { Stripe } from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buy, chargeOf } from "../tests/purchase.ts";
import { type Inbox, openInbox, type RunningSandbox, runSandbox } from "../tests/running-sandbox.ts";

let sandbox: RunningSandbox;
let stripe: Stripe;
let inbox: Inbox;

beforeAll(async () => {
  sandbox = await runSandbox();
  stripe = sandbox.stripe;
  inbox = await openInbox();
  sandbox.deliverTo(inbox.url);
});

afterAll(async () => {
  await sandbox.close();
  await inbox.close();
});

async function aCharge(): Promise<Stripe.Charge> {
  const { latest_invoice: invoice } = await buy(sandbox);
  return await chargeOf(sandbox, String(invoice));
}

/** Resolves once it has been told of the charge. */
function told(type: string, chargeId: string) {
  return expect
    .poll(() => inbox.events.filter((event) => event.type === type).map(({ subject }) => subject), {
      timeout: 10_000,
    })
    .toContainEqual({ kind: "charge", chargeId });
}

it("gives a part back, then the rest, and tells of both", async () => {
  const charge = await aCharge();

  const part = await sandbox.post(`/sandbox/charges/${charge.id}/refund`, {
    amount: 900,
    reason: "duplicate",
  });
  const between = await stripe.charges.retrieve(charge.id);
  const rest = await stripe.refunds.create({ charge: charge.id });

  expect(await part.json()).toMatchObject({ object: "refund", amount: 900, reason: "duplicate" });
  expect(between).toMatchObject({ amount_refunded: 900, refunded: false });
  expect(rest).toMatchObject({ amount: 4000, status: "succeeded", payment_intent: charge.payment_intent });
  const after = await stripe.charges.retrieve(charge.id, { expand: ["refunds"] });
  expect(after).toMatchObject({ amount_refunded: 4900, refunded: true });
  expect(after.refunds?.data.map(({ amount }) => amount)).toEqual([4000, 900]);
  await told("charge.refunded", charge.id);
});

it("gives back no more than was taken", async () => {
  const { id } = await aCharge();

  await expect(stripe.refunds.create({ charge: id, amount: 4901 })).rejects.toMatchObject({
    statusCode: 400,
    param: "amount",
  });
  await stripe.refunds.create({ charge: id });
  await expect(stripe.refunds.create({ charge: id })).rejects.toMatchObject({
    code: "charge_already_refunded",
  });

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
  await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
    code: "charge_disputed",
  });
  await told("charge.dispute.created", charge.id);
  await told("charge.dispute.closed", charge.id);
});

it("answers 404 for charges and disputes that do not exist", async () => {
  const answers = await Promise.all([
    sandbox.post("/sandbox/charges/ch_missing/refund"),
    sandbox.post("/sandbox/charges/ch_missing/dispute"),
    sandbox.post("/sandbox/disputes/du_missing/close", { outcome: "won" }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});
