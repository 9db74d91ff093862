import fc from "fast-check";
import { expect, it } from "vitest";
import type { ProviderInvoice } from "#libs/payments/index.ts";
import { reconcileInvoices } from "../ledger/reconcile.ts";
import { recordCharge, recordInvoice } from "../ledger/record.ts";
import type { Services } from "../services.ts";
import { startManagement } from "./management.ts";
import { aPaidCheckout, aPublisher, aTier, type Publisher } from "./story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { services, database, processor } = service;
const publisher = await aPublisher(service);

/** A sale that only the processor knows of so far. */
async function anUnknownSale(at: Publisher = publisher) {
  const tier = await aTier(at);
  const checkout = await aPaidCheckout(service, at, tier.prices[0]?.id ?? "");
  const { subscription } = await processor.stripe.checkout.sessions.retrieve(checkout.sessionId);
  const { data } = await processor.stripe.invoices.list({ subscription: String(subscription) });
  return { checkout, providerSubscriptionId: String(subscription), invoiceId: data[0]?.id ?? "" };
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

it("ties an invoice to its workspace, subscription and advertiser, also before anybody knew of the sale", async () => {
  const { invoiceId, providerSubscriptionId, checkout } = await anUnknownSale();

  const isNew = await recordInvoice(services, invoiceId, null);

  const subscription = await database.db
    .selectFrom("subscriptions")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .where("provider_subscription_id", "=", providerSubscriptionId)
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

it("records an invoice once, however many tell of it at the same time, and says who did", async () => {
  const { invoiceId } = await anUnknownSale();

  const told = await Promise.all(Array.from({ length: 8 }, () => recordInvoice(services, invoiceId, null)));
  const again = await recordInvoice(services, invoiceId, null);

  expect(told.filter((isNew) => isNew)).toHaveLength(1);
  expect(again).toBe(false);
  expect(await recorded(invoiceId)).toHaveLength(1);
});

it.each(["not known yet", "known"])(
  "does not write what it read earlier over what somebody else has read later, of one %s",
  async (how) => {
    const { invoiceId } = await aKnownSale();
    const paid = await services.payments.readInvoice(invoiceId, null);
    const open: ProviderInvoice = { ...paid, status: "open", amountPaid: 0, paidAt: null };
    if (how === "known") {
      await recordInvoice(
        hearing(async () => open),
        invoiceId,
        null,
      );
    }
    const isRead = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    let reads = 0;
    const slow = hearing(async () => {
      reads += 1;
      if (reads > 1) return paid;
      isRead.resolve();
      await mayGoOn.promise;
      return open;
    });

    const late = recordInvoice(slow, invoiceId, null);
    await isRead.promise;
    await recordInvoice(services, invoiceId, null);
    mayGoOn.resolve();
    await late;

    expect(reads).toBe(2);
    expect(await recorded(invoiceId)).toMatchObject([{ status: "paid", amount_paid: 4900 }]);
  },
);

it("ends with the processor's last word, whoever is told when and however long each takes", async () => {
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
      let word = paid;
      const hearers = events.map(async ({ amountPaid, before, asking }) => {
        await pass(before);
        word = { ...paid, amountPaid };
        const heard = hearing(async () => {
          const said = word;
          await pass(asking);
          return said;
        });
        await recordInvoice(heard, invoiceId, null);
      });
      await Promise.all(hearers);

      expect(await recorded(invoiceId)).toMatchObject([{ amount_paid: word.amountPaid }]);
    }),
    { numRuns: 40 },
  );
});

it("drops a draft that the processor has thrown away, and nothing else", async () => {
  const sale = await aKnownSale();
  const other = await aKnownSale();
  const draft = { ...(await services.payments.readInvoice(sale.invoiceId, null)), status: "draft" as const };
  await recordInvoice(
    hearing(async () => draft),
    sale.invoiceId,
    null,
  );
  await recordInvoice(services, other.invoiceId, null);
  const gone = hearing(async () => await services.payments.readInvoice("in_missing", null));

  const dropped = await recordInvoice(gone, sale.invoiceId, null);
  const kept = await recordInvoice(gone, other.invoiceId, null);

  expect([dropped, kept]).toEqual([true, false]);
  expect(await recorded(sale.invoiceId)).toEqual([]);
  expect(await recorded(other.invoiceId)).toHaveLength(1);
});

it("leaves out invoices of nothing that was sold here", async () => {
  const { invoiceId } = await aKnownSale();
  const theirs = await services.payments.readInvoice(invoiceId, null);
  const unsold = { ...theirs, id: "in_unsold", subscriptionId: null };

  expect(
    await recordInvoice(
      hearing(async () => unsold),
      unsold.id,
      null,
    ),
  ).toBe(false);
  expect(await recordInvoice(services, "in_missing", null)).toBe(false);
  expect(await recorded(unsold.id)).toEqual([]);
});

it("takes nobody's word on a subscription but that of the account in which it was sold", async () => {
  const { invoiceId } = await aKnownSale();
  const forged = { ...(await services.payments.readInvoice(invoiceId, null)), id: "in_forged" };

  const { id: account } = await processor.stripe.accounts.create({});

  await recordInvoice(
    hearing(async () => forged),
    forged.id,
    account,
  ).catch((error: unknown) => expect(error).toMatchObject({ code: "NOT_FOUND" }));

  expect(await recorded(forged.id)).toEqual([]);
});

it("fails without a trace while the processor is away, and goes through later", async () => {
  const { invoiceId } = await aKnownSale();

  await processor.while("failing", async () => {
    await expect(recordInvoice(services, invoiceId, null)).rejects.toMatchObject({
      code: "PROCESSOR_FAILED",
    });
  });

  expect(await recorded(invoiceId)).toEqual([]);
  expect(await recordInvoice(services, invoiceId, null)).toBe(true);
});

it("reads an account's invoices whole the first time, then from an instant on, and repairs what differs", async () => {
  const sales = [await aKnownSale(), await anUnknownSale()];
  const ids = sales.map((sale) => sale.invoiceId);
  const tomorrow = Date.now() + 86_400_000;

  const first = await reconcileInvoices(services, null, tomorrow);
  const nothing = await reconcileInvoices(services, null, 0);
  await database.db
    .updateTable("invoices")
    .set({ status: "open", amount_paid: 0, paid_at: null })
    .where("provider_invoice_id", "=", ids[0] ?? "")
    .execute();
  const tooLate = await reconcileInvoices(services, null, tomorrow);
  const repaired = await reconcileInvoices(services, null, 0);

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

it("ties refunds to the invoice that was paid, also before that was heard of, and each of them once", async () => {
  const { invoiceId } = await anUnknownSale();
  const chargeId = await chargeOf(invoiceId);
  await processor.stripe.refunds.create({ charge: chargeId, amount: 900, reason: "requested_by_customer" });

  const untouched = await recordCharge(services, await chargeOf((await anUnknownSale()).invoiceId), null);
  const told = await Promise.all(Array.from({ length: 6 }, () => recordCharge(services, chargeId, null)));
  await processor.stripe.refunds.create({ charge: chargeId, amount: 4000 });
  const more = await recordCharge(services, chargeId, null);
  const same = await recordCharge(services, chargeId, null);

  const [invoice] = await recorded(invoiceId);
  expect(untouched).toBe(false);
  expect(told.filter((isNew) => isNew)).toHaveLength(1);
  expect([more, same]).toEqual([true, false]);
  expect(await refundsOf(chargeId)).toEqual({
    charge: { amount_refunded: 4900, disputed: false, invoice_id: invoice?.id },
    refunds: [
      { amount: 900, currency: "usd", reason: "requested_by_customer" },
      { amount: 4000, currency: "usd", reason: null },
    ],
  });
});

it("notes a dispute, and takes back a refund that came to nothing", async () => {
  const { invoiceId, checkout } = await aKnownSale();
  const chargeId = await chargeOf(invoiceId);
  await processor.stripe.refunds.create({ charge: chargeId, amount: 900 });
  await recordCharge(services, chargeId, null);
  const undone = await services.payments.readCharge(chargeId, null);
  const failing = {
    ...services,
    payments: {
      ...services.payments,
      readCharge: async () => ({ ...undone, amountRefunded: 0, refunds: [] }),
    },
  };

  const takenBack = await recordCharge(failing, chargeId, null);
  const without = await refundsOf(chargeId);
  const disputed = await checkout.caller.request("POST", `/sandbox/charges/${chargeId}/dispute`, {});
  await recordCharge(services, chargeId, null);

  expect(takenBack).toBe(true);
  expect(without).toMatchObject({ charge: { amount_refunded: 0 }, refunds: [] });
  expect([disputed.status, disputed.text]).toEqual([200, expect.any(String)]);
  expect((await refundsOf(chargeId)).charge).toMatchObject({ disputed: true });
});

it("leaves out charges of nothing that was sold here", async () => {
  const { invoiceId } = await aKnownSale();
  const chargeId = await chargeOf(invoiceId);
  const charge = { ...(await services.payments.readCharge(chargeId, null)), disputed: true, invoiceId: null };
  const elsewhere = { ...services, payments: { ...services.payments, readCharge: async () => charge } };

  expect(await recordCharge(elsewhere, chargeId, null)).toBe(false);
  expect(await recordCharge(services, "ch_missing", null)).toBe(false);
  expect((await refundsOf(chargeId)).charge).toBeUndefined();
});
