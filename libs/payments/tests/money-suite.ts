import { expect, it } from "vitest";
import { chargeOf } from "./purchase.ts";
import { aPrice } from "./requests.ts";
import { all, invoicesOf, type ProcessorUnderTest, subscribe } from "./sales.ts";

/** Invoices, charges and refunds. */
export function describeMoney(processor: () => ProcessorUnderTest): void {
  it("gives an invoice with its numbers, pages and the period that it sells", async () => {
    const { payments } = processor();
    const price = aPrice({ amount: 1999, currency: "usd" });
    const { id, customerId, currentPeriodStart, currentPeriodEnd } = await subscribe(processor(), price);

    const [listed] = await invoicesOf(processor(), id);
    const invoice = await payments.readInvoice(listed?.id ?? "", null);

    expect(invoice).toEqual({
      id: listed?.id,
      isRenewal: false,
      isCollected: false,
      failedAt: null,
      subscriptionId: id,
      subscriptionMetadata: { workspaceId: price.workspaceId, tierPriceId: price.tierPriceId },
      customerId,
      number: expect.any(String),
      status: "paid",
      currency: "usd",
      total: 1999,
      amountPaid: 1999,
      amountDue: 1999,
      createdAt: expect.any(Number),
      paidAt: expect.any(Number),
      periodStart: currentPeriodStart,
      periodEnd: currentPeriodEnd,
      hostedUrl: expect.stringMatching(/^http/),
      pdfUrl: expect.stringMatching(/^http/),
    });
    expect(listed).toEqual(invoice);
  });

  it("distinguishes the amount due from the amount paid when a renewal fails", async () => {
    const { advance } = processor();
    const payer = { email: "late@harbour.example", card: "0341" };
    const { id } = await subscribe(processor(), aPrice(), {}, payer);

    await advance(32);

    const [renewal, first] = await invoicesOf(processor(), id);
    expect(first).toMatchObject({ status: "paid", amountPaid: 4900 });
    expect(renewal).toMatchObject({
      status: "open",
      total: 4900,
      amountDue: 4900,
      amountPaid: 0,
      paidAt: null,
      periodStart: first?.periodEnd,
    });
  });

  it("lists the invoices since a moment only", async () => {
    const { payments, advance } = processor();
    const { id } = await subscribe(processor());
    await advance(32);
    const [renewal] = await invoicesOf(processor(), id);

    const since = renewal?.createdAt ?? 0;
    const later = await all(payments.listInvoices({ account: null, since }));

    expect(later.map((invoice) => invoice.id)).toContain(renewal?.id);
    expect(later.every(({ createdAt }) => createdAt >= since)).toBe(true);
    expect(later.filter(({ subscriptionId }) => subscriptionId === id)).toHaveLength(1);
  });

  it("gives a charge with the invoice it paid and what was given back of it, newest first", async () => {
    const { payments, refund } = processor();
    const { id } = await subscribe(processor());
    const [invoice] = await invoicesOf(processor(), id);
    const { id: chargeId } = await chargeOf(processor(), invoice?.id ?? "");

    const before = await payments.readCharge(chargeId, null);
    await refund(chargeId, { amount: 1000, reason: "requested_by_customer" });
    await refund(chargeId, { amount: 500 });
    const after = await payments.readCharge(chargeId, null);

    expect(before).toEqual({
      id: chargeId,
      invoiceId: invoice?.id,
      subscriptionId: id,
      amount: 4900,
      currency: "eur",
      amountRefunded: 0,
      disputed: false,
      dispute: null,
      createdAt: expect.any(Number),
      refunds: [],
    });
    expect(after.amountRefunded).toBe(1500);
    const made = {
      id: expect.any(String),
      note: null,
      idempotencyKey: null,
      createdAt: expect.any(Number),
    };
    expect(after.refunds).toEqual([
      { ...made, amount: 500, reason: null },
      { ...made, amount: 1000, reason: "requested_by_customer" },
    ]);
  });

  it("lists the invoices of one subscription", async () => {
    const { payments } = processor();
    const { id } = await subscribe(processor());
    await subscribe(processor());

    const listed = await all(payments.listInvoices({ account: null, since: 0, subscriptionId: id }));

    expect(listed.map(({ subscriptionId }) => subscriptionId)).toEqual([id]);
  });

  it("gives the dispute of a charge with its amount and the end of the time for evidence", async () => {
    const { payments, dispute: disputeCharge } = processor();
    const [invoice] = await invoicesOf(processor(), (await subscribe(processor())).id);
    const { id: chargeId } = await chargeOf(processor(), invoice?.id ?? "");
    await disputeCharge(chargeId);

    const { disputed, dispute, createdAt } = await payments.readCharge(chargeId, null);

    expect(disputed).toBe(true);
    expect(dispute).toEqual({ amount: 4900, status: "needs_response", evidenceDueBy: expect.any(Number) });
    expect(dispute?.evidenceDueBy).toBeGreaterThan(createdAt);
  });

  it("lists the refunds and disputes since a moment, whenever the charge was made", async () => {
    const { payments, refund, advance, dispute: disputeCharge } = processor();
    const charges: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const [invoice] = await invoicesOf(processor(), (await subscribe(processor())).id);
      charges.push((await chargeOf(processor(), invoice?.id ?? "")).id);
    }
    const [refunded = "", disputed = "", untouched = ""] = charges;
    await refund(refunded, { amount: 500 });
    await advance(1);
    const { created } = await refund(refunded, { amount: 700 });
    await disputeCharge(disputed);

    const since = created * 1000;
    const found = await all(payments.listReversals({ account: null, since }));
    const ever = await all(payments.listReversals({ account: null, since: 0 }));
    const later = await all(payments.listReversals({ account: null, since: since + 86_400_000 }));

    const id = expect.any(String);
    const dispute = { kind: "dispute", id, chargeId: disputed, amount: 4900, status: "needs_response" };
    expect(found).toEqual([{ kind: "refund", id, chargeId: refunded, amount: 700, status: null }, dispute]);
    expect(ever.filter(({ chargeId }) => charges.includes(chargeId))).toHaveLength(3);
    expect(ever.map(({ chargeId }) => chargeId)).not.toContain(untouched);
    expect(later).toEqual([]);
  });
}
