import { expect, it, vi } from "vitest";
import { invoice } from "#libs/contract/invoices.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { auditTrail } from "../../tests/audit-trail.ts";
import { envelope } from "../../tests/envelope.ts";
import { invoiceOf, webhooksApplied } from "../../tests/ledger-story.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher, type Publisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { processor, database } = service;
const { stripe } = processor;
const publisher = await aPublisher(service);

/** An invoice of 49 dollars in the ledger. */
async function anInvoice(of: Publisher = publisher) {
  const { subscription, checkout } = await anApprovedAd(service, of);
  const id = await invoiceOf(service, subscription.advertiser.id);
  const row = await database.db
    .selectFrom("invoices")
    .where("id", "=", id)
    .select("provider_invoice_id")
    .executeTakeFirstOrThrow();
  const path = `${of.path}/invoices/${id}/refunds`;
  const chargeId = async () => {
    const charge = await service.services.payments.readChargeOfInvoice(row.provider_invoice_id, null);
    return charge?.id ?? "";
  };
  /** What the processor has refunded. */
  const refunded = async () => {
    const { data } = await stripe.refunds.list({ charge: await chargeId() });
    return data.map(({ amount }) => amount);
  };
  return { id, path, email: checkout.email, refunded, chargeId };
}

async function refuse(path: string, body: object, status: number) {
  const answer = await publisher.caller.request("POST", path, body);
  expect(answer.status, answer.text).toBe(status);
  return envelope.parse(JSON.parse(answer.text)).data;
}

function refund(path: string, body: object = {}) {
  return publisher.caller.ok(invoice, "POST", path, body);
}

/** The mails about refunds to somebody, once all that was queued is sent. */
async function refundMails(email: string) {
  await webhooksApplied(service);
  return (await mailsTo(service, email)).filter(({ subject }) => subject.includes("refunded"));
}

it("refunds a part with reason and note, then all that is left, and tells the advertiser once of each", async () => {
  const { id, path, email, refunded } = await anInvoice();

  const part = await refund(path, { amount: 900, reason: "duplicate", note: "Charged twice." });
  const rest = await refund(path);

  expect(part).toMatchObject({
    id,
    amountPaid: 4900,
    amountRefunded: 900,
    refunds: [{ amount: 900, reason: "duplicate", note: "Charged twice." }],
  });
  expect(rest.amountRefunded).toBe(4900);
  expect(rest.refunds.map(({ amount }) => amount).toSorted()).toEqual([4000, 900]);
  expect((await refunded()).toSorted()).toEqual([4000, 900]);
  const mails = await refundMails(email);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    "Example Weekly has refunded $40.00",
    "Example Weekly has refunded $9.00",
  ]);
  expect(mails.find(({ subject }) => subject.includes("$9.00"))?.text).toMatch(
    /has refunded \$9\.00 of invoice \S+\.\n\nReason: Duplicate charge\n\n {2}Charged twice\./,
  );
  const trail = (await auditTrail(service, id)).filter(({ action }) => action === "invoice.refund");
  expect(trail).toMatchObject([
    { actor_kind: "key", after: { amount: 900, currency: "usd", reason: "duplicate" } },
    { after: { amount: 4000 } },
  ]);
});

it("refuses more than is left, and says how much that is", async () => {
  const { path, refunded } = await anInvoice();
  await refund(path, { amount: 900 });

  const tooMuch = await refuse(path, { amount: 4001 }, 422);
  const nothing = await refuse(path, { amount: 0 }, 422);
  const wordy = await refuse(path, { note: "x".repeat(251), reason: "generous" }, 422);
  await refund(path, { amount: 4000 });
  const again = await refuse(path, {}, 409);
  const more = await refuse(path, { amount: 1 }, 409);

  expect(tooMuch?.fieldErrors).toEqual({ amount: ["At most $40.00 is left to refund."] });
  expect(Object.keys(nothing?.fieldErrors ?? {})).toEqual(["amount"]);
  expect(Object.keys(wordy?.fieldErrors ?? {}).toSorted()).toEqual(["note", "reason"]);
  for (const said of [again, more]) {
    expect(said?.formErrors).toEqual(["This invoice has been refunded in full."]);
  }
  expect(await refunded()).toEqual([4000, 900]);
});

it("takes what is left from the processor, whose refunds may not have arrived here", async () => {
  const { path, chargeId } = await anInvoice();
  await stripe.refunds.create({ charge: await chargeId(), amount: 4000 });

  const tooMuch = await refuse(path, { amount: 901 }, 422);
  const rest = await refund(path);

  expect(tooMuch?.fieldErrors?.amount).toEqual(["At most $9.00 is left to refund."]);
  expect(rest.amountRefunded).toBe(4900);
});

it("refuses to refund an invoice that nothing was paid for, or that the bank has taken back", async () => {
  const unpaid = await anInvoice();
  await database.db
    .updateTable("invoices")
    .set({ provider_invoice_id: "in_of_nobody" })
    .where("id", "=", unpaid.id)
    .execute();
  const disputed = await anInvoice();
  await publisher.caller.request("POST", `/sandbox/charges/${await disputed.chargeId()}/dispute`, {});

  expect((await refuse(unpaid.path, {}, 409))?.formErrors).toEqual([
    "Nothing was paid for this invoice, so there is nothing to refund.",
  ]);
  expect(await refuse(disputed.path, {}, 409)).toMatchObject({
    formErrors: ["The advertiser disputes this payment at the bank, so it can't be refunded."],
    reason: "PAYMENT_DISPUTED",
  });
});

it("refunds everything once when two ask for it at the same time", async () => {
  const { path, email, refunded } = await anInvoice();

  const answers = await Promise.all(
    Array.from({ length: 4 }, () => publisher.caller.request("POST", path, {})),
  );

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  expect(await refunded()).toEqual([4900]);
  expect(await refundMails(email)).toHaveLength(1);
});

it("refuses to refund everything where a part was refunded meanwhile", async () => {
  const { path, chargeId, refunded } = await anInvoice();
  const charge = await chargeId();
  // The first answer names the charge, the second says what is left of it.
  processor.holdNextAnswer().release();
  const held = processor.holdNextAnswer();
  const answer = refuse(path, {}, 409);
  await held.given;
  await stripe.refunds.create({ charge, amount: 900 });
  held.release();

  expect(await answer).toMatchObject({ reason: "REFUNDED_SINCE" });
  expect(await refunded()).toEqual([900]);
});

it("makes one refund of an idempotency key, also when the answer was lost", async () => {
  const { id, path, email, refunded } = await anInvoice();
  const headers = { "idempotency-key": crypto.randomUUID() };
  const ask = (body: object) => publisher.caller.request("POST", path, body, headers);

  const lost = await processor.while("mute", () => ask({ amount: 900 }));
  const repeated = await ask({ amount: 900 });
  const replayed = await ask({ amount: 900 });
  const corrected = await ask({ amount: 800 });

  expect(lost.status).toBe(502);
  expect(repeated.status, repeated.text).toBe(200);
  expect(invoice.parse(JSON.parse(repeated.text)).amountRefunded).toBe(900);
  expect(replayed.text).toBe(repeated.text);
  expect(corrected.status).toBe(422);
  expect(await refunded()).toEqual([900]);
  expect(await refundMails(email)).toHaveLength(1);
  const trail = (await auditTrail(service, id)).filter(({ action }) => action === "invoice.refund");
  expect(trail).toHaveLength(1);
});

it("changes nothing when the processor cannot be reached", async () => {
  const { path, refunded } = await anInvoice();

  const away = await processor.while("gone", () => publisher.caller.request("POST", path, {}));

  expect(away.status).toBe(502);
  expect(await refunded()).toEqual([]);
  expect((await refund(path)).amountRefunded).toBe(4900);
});

it("tells the advertiser once of a refund that was made at the processor", async () => {
  const { id, chargeId, email } = await anInvoice();

  await stripe.refunds.create({ charge: await chargeId(), amount: 500, reason: "requested_by_customer" });

  await vi.waitFor(async () => expect(await refundMails(email)).toHaveLength(1), { timeout: 20_000 });
  expect((await refundMails(email))[0]?.text).toContain("Reason: Requested by you");
  expect((await auditTrail(service, id)).map(({ action }) => action)).not.toContain("invoice.refund");
});
