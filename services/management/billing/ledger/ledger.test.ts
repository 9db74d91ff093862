import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { processorTime } from "#libs/domain/moment.ts";
import type { ProcessorInvoice } from "#libs/payments/index.ts";
import type { Services } from "../../start/services.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier, type Publisher } from "../../tests/story.ts";
import { Findings } from "../reconciliation/findings.ts";
import { reconcileLedger } from "../reconciliation/ledger.ts";
import { syncCharge } from "./charge.ts";
import { syncInvoice } from "./invoice.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { services, database, processor } = service;
const publisher = await aPublisher(service);

/** The moment of a comparison that reaches back to `since`, because the last one was then, less the margin. */
async function comparedBefore(since: number) {
  const moment = processorTime(since + 3 * 86_400_000);
  await database.db
    .updateTable("ledger_fills")
    .set({ compared_at: new Date(moment) })
    .where("compared_at", "is not", null)
    .execute();
  return moment;
}

/** The processor's ids of the invoices that a reconciliation repairs. */
async function reconcileInvoices(account: string | null, since: number) {
  const findings = new Findings();
  await reconcileLedger(services, account, await comparedBefore(since), findings);
  return findings.repaired.invoice;
}

async function mirrorInvoice(...args: Parameters<typeof syncInvoice>): Promise<boolean> {
  return (await syncInvoice(...args)).changed;
}

async function mirrorCharge(...args: Parameters<typeof syncCharge>): Promise<boolean> {
  return (await syncCharge(...args)).changed;
}

/** A sale that only the processor knows of so far. */
async function anUnknownSale(at: Publisher = publisher) {
  const tier = await aTier(at);
  const checkout = await aPaidCheckout(service, at, tier.prices[0]?.id ?? "");
  const { subscription } = await processor.stripe.checkout.sessions.retrieve(checkout.sessionId);
  const { data } = await processor.stripe.invoices.list({ subscription: String(subscription) });
  return { checkout, processorSubscriptionId: String(subscription), invoiceId: data[0]?.id ?? "" };
}

/** A sale that we know of, without its invoice. */
async function aKnownSale(at: Publisher = publisher) {
  const sale = await anUnknownSale(at);
  await sale.checkout.caller.request("GET", `/v1/checkout-sessions/${sale.checkout.sessionId}`);
  return sale;
}

async function recorded(invoiceId: string) {
  return await database.db
    .selectFrom("invoices")
    .where("provider_invoice_id", "=", invoiceId)
    .selectAll()
    .execute();
}

/** The service with a processor that says otherwise about invoices. */
function hearing(readInvoice: Services["payments"]["readInvoice"]): Services {
  return { ...services, payments: { ...services.payments, readInvoice } };
}

/** Mirrors an invoice of which the processor says this. */
async function mirrorReading(read: ProcessorInvoice, account: string | null = null): Promise<boolean> {
  return await mirrorInvoice(
    hearing(async () => read),
    read.id,
    account,
  );
}

it("assigns an invoice to its workspace, subscription and advertiser, even before the sale is known", async () => {
  const { invoiceId, processorSubscriptionId, checkout } = await anUnknownSale();

  const isNew = await mirrorInvoice(services, invoiceId, null);

  const subscription = await database.db
    .selectFrom("subscriptions")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .where("provider_subscription_id", "=", processorSubscriptionId)
    .select(["subscriptions.id", "advertisers.id as advertiser_id", "advertisers.email"])
    .executeTakeFirstOrThrow();
  expect(isNew).toBe(true);
  expect(subscription.email).toBe(checkout.email);
  expect(await recorded(invoiceId)).toMatchObject([
    {
      workspace_id: publisher.workspace.id,
      subscription_id: subscription.id,
      advertiser_id: subscription.advertiser_id,
      status: "paid",
      currency: "usd",
      total: 4900,
      amount_paid: 4900,
      paid_at: expect.any(Date),
    },
  ]);
});

it("records an invoice once for concurrent syncs, and reports the change to one of them", async () => {
  const { invoiceId } = await anUnknownSale();

  const results = await Promise.all(
    Array.from({ length: 8 }, () => mirrorInvoice(services, invoiceId, null)),
  );
  const again = await mirrorInvoice(services, invoiceId, null);

  expect(results.filter((isNew) => isNew)).toHaveLength(1);
  expect(again).toBe(false);
  expect(await recorded(invoiceId)).toHaveLength(1);
});

/** An invoice that is paid by now, in the ledger as open if it is `known`, and the readings of its two states. */
async function anInvoicePaidMeanwhile(how: string) {
  const { invoiceId } = await aKnownSale();
  const paid = await services.payments.readInvoice(invoiceId, null);
  const open: ProcessorInvoice = { ...paid, status: "open", amountPaid: 0, paidAt: null };
  if (how === "known") {
    await mirrorReading(open);
  }
  return { invoiceId, paid, open };
}

/** A processor that holds its first answer back, and gives the other one from then on. */
function holding(first: ProcessorInvoice, later: ProcessorInvoice) {
  const isAsked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  let reads = 0;
  const slow = hearing(async () => {
    reads += 1;
    if (reads > 1) return later;
    isAsked.resolve();
    await mayAnswer.promise;
    return first;
  });
  return { slow, isAsked: isAsked.promise, answer: mayAnswer.resolve, reads: () => reads };
}

it.each(["not known yet", "known"])(
  "does not overwrite the state of a later attempt, for an invoice that is %s",
  async (how) => {
    const { invoiceId, open, paid } = await anInvoicePaidMeanwhile(how);
    const early = holding(open, paid);

    const outcome = mirrorInvoice(early.slow, invoiceId, null);
    await early.isAsked;
    await mirrorInvoice(services, invoiceId, null);
    early.answer();

    expect(await outcome).toBe(false);
    expect(early.reads()).toBe(1);
    expect(await recorded(invoiceId)).toMatchObject([{ status: "paid", amount_paid: 4900 }]);
  },
);

it.each(["not known yet", "known"])(
  "reads again if an earlier attempt has written meanwhile, for an invoice that is %s",
  async (how) => {
    const { invoiceId, open, paid } = await anInvoicePaidMeanwhile(how);
    const early = holding(paid, paid);
    const late = holding(open, paid);

    const first = mirrorInvoice(early.slow, invoiceId, null);
    await early.isAsked;
    const second = mirrorInvoice(late.slow, invoiceId, null);
    await late.isAsked;
    early.answer();
    const isFirst = await first;
    late.answer();

    expect([isFirst, await second]).toEqual([true, false]);
    expect([early.reads(), late.reads()]).toEqual([1, 2]);
    expect(await recorded(invoiceId)).toMatchObject([{ status: "paid", amount_paid: 4900 }]);
  },
);

it("updates an invoice whose version a process of the release before has counted past the sequence", async () => {
  const { invoiceId } = await anInvoicePaidMeanwhile("known");
  await database.pool.query(
    "update invoices set sync_version = (select last_value + 3 from sync_tickets) where provider_invoice_id = $1",
    [invoiceId],
  );

  expect(await mirrorInvoice(services, invoiceId, null)).toBe(true);

  expect(await recorded(invoiceId)).toMatchObject([{ status: "paid", amount_paid: 4900 }]);
});

it("ends in the processor's latest state, with any order and delay of the events", async () => {
  const { invoiceId } = await aKnownSale();
  const paid = await services.payments.readInvoice(invoiceId, null);
  const wait = fc.nat(4);
  const changes = fc.array(fc.record({ amountPaid: fc.nat(1000), before: wait, asking: wait }), {
    minLength: 2,
    maxLength: 6,
  });
  const pass = async (turns: number) => {
    for (let n = 0; n < turns; n += 1) await database.pool.query("select 1");
  };

  await fc.assert(
    fc.asyncProperty(changes, async (events) => {
      let latest = paid;
      const attempts = events.map(async ({ amountPaid, before, asking }) => {
        await pass(before);
        latest = { ...paid, amountPaid };
        const slow = hearing(async () => {
          const answer = latest;
          await pass(asking);
          return answer;
        });
        await mirrorInvoice(slow, invoiceId, null);
      });
      await Promise.all(attempts);

      expect(await recorded(invoiceId)).toMatchObject([{ amount_paid: latest.amountPaid }]);
    }),
    { numRuns: 40 },
  );
});

it("removes a draft that the processor has deleted, and nothing else", async () => {
  const sale = await aKnownSale();
  const other = await aKnownSale();
  const draft = { ...(await services.payments.readInvoice(sale.invoiceId, null)), status: "draft" as const };
  await mirrorReading(draft);
  await mirrorInvoice(services, other.invoiceId, null);
  const gone = hearing(async () => await services.payments.readInvoice("in_missing", null));

  const dropped = await mirrorInvoice(gone, sale.invoiceId, null);
  const kept = await mirrorInvoice(gone, other.invoiceId, null);

  expect([dropped, kept]).toEqual([true, false]);
  expect(await recorded(sale.invoiceId)).toEqual([]);
  expect(await recorded(other.invoiceId)).toHaveLength(1);
});

it("leaves out invoices of sales elsewhere", async () => {
  const { invoiceId } = await aKnownSale();
  const theirs = await services.payments.readInvoice(invoiceId, null);
  const unsold = { ...theirs, id: "in_unsold", subscriptionId: null };

  expect(await mirrorReading(unsold)).toBe(false);
  expect(await mirrorInvoice(services, "in_missing", null)).toBe(false);
  expect(await recorded(unsold.id)).toEqual([]);
});

it("ignores invoices of a subscription from any account but the one in which it was sold", async () => {
  const { invoiceId } = await aKnownSale();
  const forged = { ...(await services.payments.readInvoice(invoiceId, null)), id: "in_forged" };

  const { id: account } = await processor.stripe.accounts.create({});

  await mirrorReading(forged, account).catch((error: unknown) =>
    expect(error).toMatchObject({ code: "NOT_FOUND" }),
  );

  expect(await recorded(forged.id)).toEqual([]);
});

it("writes nothing while the processor is unavailable, and succeeds later", async () => {
  const { invoiceId } = await aKnownSale();

  await processor.while("failing", async () => {
    await expect(mirrorInvoice(services, invoiceId, null)).rejects.toMatchObject({
      code: "PROCESSOR_FAILED",
    });
  });

  expect(await recorded(invoiceId)).toEqual([]);
  expect(await mirrorInvoice(services, invoiceId, null)).toBe(true);
});

it("reads all of an account's invoices the first time, then recent ones, and repairs differences", async () => {
  const sales = [await aKnownSale(), await anUnknownSale()];
  const ids = sales.map((sale) => sale.invoiceId);
  const tomorrow = Date.now() + 86_400_000;

  const first = await reconcileInvoices(null, tomorrow);
  const nothing = await reconcileInvoices(null, 0);
  await database.db
    .updateTable("invoices")
    .set({ status: "void", amount_paid: 0, paid_at: null })
    .where("provider_invoice_id", "=", ids[0] ?? "")
    .execute();
  const tooLate = await reconcileInvoices(null, tomorrow);
  const repaired = await reconcileInvoices(null, 0);

  expect(first).toEqual(expect.arrayContaining(ids));
  expect(nothing).toEqual([]);
  expect(tooLate).toEqual([]);
  expect(repaired).toEqual([ids[0]]);
  expect(await recorded(ids[0] ?? "")).toMatchObject([{ status: "paid", amount_paid: 4900 }]);
});

/** The charge that paid for a sale. */
async function chargeOf(invoiceId: string) {
  const payments = await processor.stripe.invoicePayments.list({ invoice: invoiceId });
  const intent = payments.data[0]?.payment.payment_intent;
  const { data } = await processor.stripe.charges.list({ payment_intent: String(intent) });
  return data[0]?.id ?? "";
}

function refund(chargeId: string, terms: object) {
  return publisher.caller.request("POST", `/sandbox/charges/${chargeId}/refund`, terms);
}

async function refundsOf(chargeId: string) {
  const charge = await database.db
    .selectFrom("charges")
    .where("provider_charge_id", "=", chargeId)
    .select(["amount_refunded", "disputed", "invoice_id"])
    .executeTakeFirst();
  const refunds = await database.db
    .selectFrom("refunds")
    .where("provider_charge_id", "=", chargeId)
    .select(["amount", "currency", "reason"])
    .orderBy("amount")
    .execute();
  return { charge, refunds };
}

it("assigns each refund once to its invoice, even before the invoice is known", async () => {
  const { invoiceId } = await anUnknownSale();
  const chargeId = await chargeOf(invoiceId);
  await refund(chargeId, { amount: 900, reason: "requested_by_customer" });

  const untouched = await mirrorCharge(services, await chargeOf((await anUnknownSale()).invoiceId), null);
  const results = await Promise.all(Array.from({ length: 6 }, () => mirrorCharge(services, chargeId, null)));
  await refund(chargeId, { amount: 4000 });
  const more = await mirrorCharge(services, chargeId, null);
  const same = await mirrorCharge(services, chargeId, null);

  const [invoice] = await recorded(invoiceId);
  expect(untouched).toBe(false);
  expect(results.filter((isNew) => isNew)).toHaveLength(1);
  expect([more, same]).toEqual([true, false]);
  expect(await refundsOf(chargeId)).toEqual({
    charge: { amount_refunded: 4900, disputed: false, invoice_id: invoice?.id },
    refunds: [
      { amount: 900, currency: "usd", reason: "requested_by_customer" },
      { amount: 4000, currency: "usd", reason: null },
    ],
  });
});

it("records a dispute, and removes a refund that failed", async () => {
  const { invoiceId, checkout } = await aKnownSale();
  const chargeId = await chargeOf(invoiceId);
  await refund(chargeId, { amount: 900 });
  await mirrorCharge(services, chargeId, null);
  const undone = await services.payments.readCharge(chargeId, null);
  const failing = {
    ...services,
    payments: {
      ...services.payments,
      readCharge: async () => ({ ...undone, amountRefunded: 0, refunds: [] }),
    },
  };

  const takenBack = await mirrorCharge(failing, chargeId, null);
  const without = await refundsOf(chargeId);
  const disputed = await checkout.caller.request("POST", `/sandbox/charges/${chargeId}/dispute`, {});
  await mirrorCharge(services, chargeId, null);

  expect(takenBack).toBe(true);
  await vi.waitFor(async () => {
    const subjects = (await service.readMails()).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/^A refund to .* has failed$/));
  });
  expect(without).toMatchObject({ charge: { amount_refunded: 0 }, refunds: [] });
  expect([disputed.status, disputed.text]).toEqual([200, expect.any(String)]);
  expect((await refundsOf(chargeId)).charge).toMatchObject({ disputed: true });
});

it("leaves out charges of sales elsewhere", async () => {
  const { invoiceId } = await aKnownSale();
  const chargeId = await chargeOf(invoiceId);
  const charge = { ...(await services.payments.readCharge(chargeId, null)), disputed: true, invoiceId: null };
  const elsewhere = { ...services, payments: { ...services.payments, readCharge: async () => charge } };

  expect(await mirrorCharge(elsewhere, chargeId, null)).toBe(false);
  expect(await mirrorCharge(services, "ch_missing", null)).toBe(false);
  expect((await refundsOf(chargeId)).charge).toBeUndefined();
});

/** The ids of the charges that a reconciliation repairs. */
async function reconcileReversals(since: number) {
  const findings = new Findings();
  await reconcileLedger(services, null, await comparedBefore(since), findings);
  return findings.repaired.charge;
}

it("reads all of an account's refunds and disputes the first time, then recent ones, and repairs differences", async () => {
  const sales = [await aKnownSale(), await aKnownSale(), await aKnownSale()];
  const [refunded = "", disputed = "", untouched = ""] = await Promise.all(
    sales.map(({ invoiceId }) => chargeOf(invoiceId)),
  );
  await reconcileInvoices(null, 0);
  await database.db.updateTable("ledger_fills").set({ compared_at: null }).execute();
  await refund(refunded, { amount: 900 });
  await sales[1]?.checkout.caller.request("POST", `/sandbox/charges/${disputed}/dispute`, {});
  const tomorrow = Date.now() + 86_400_000;

  const first = await reconcileReversals(tomorrow);
  const nothing = await reconcileReversals(0);
  await database.pool.query("delete from refunds where provider_charge_id = $1", [refunded]);
  await database.pool.query(
    "update charges set disputed = false, dispute_status = null where provider_charge_id = $1",
    [disputed],
  );
  const tooLate = await reconcileReversals(tomorrow);
  const repaired = await reconcileReversals(0);

  expect(first).toEqual(expect.arrayContaining([refunded, disputed]));
  expect(first).not.toContain(untouched);
  expect([nothing, tooLate]).toEqual([[], []]);
  expect(repaired).toEqual([refunded, disputed]);
  expect(await refundsOf(refunded)).toMatchObject({
    charge: { disputed: false },
    refunds: [{ amount: 900 }],
  });
  expect((await refundsOf(disputed)).charge).toMatchObject({ disputed: true });
});

it("learns of the late payment of an old invoice although its webhook was lost", async () => {
  const { invoiceId } = await aKnownSale();
  await mirrorInvoice(services, invoiceId, null);
  await reconcileInvoices(null, 0);
  await database.db
    .updateTable("invoices")
    .set({ status: "open", amount_paid: 0, amount_due: 4900, paid_at: null })
    .where("provider_invoice_id", "=", invoiceId)
    .execute();

  // The processor lists no invoice as new.
  const repaired = await reconcileInvoices(null, Date.now() + 60_000);
  const again = await reconcileInvoices(null, Date.now() + 60_000);

  expect([repaired, again]).toEqual([[invoiceId], []]);
  expect(await recorded(invoiceId)).toMatchObject([{ status: "paid", amount_paid: 4900 }]);
});
