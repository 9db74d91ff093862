import { expect, it } from "vitest";
import { aPrice } from "./requests.ts";
import type { ProcessorUnderTest } from "./sales.ts";
import { all, subscribe } from "./sales.ts";

/** Refunds of what was paid for an invoice. */
export function describeRefunds(processor: () => ProcessorUnderTest): void {
  /** The invoice of a new subscription at 49 euro. */
  async function anInvoice(price = aPrice()): Promise<string> {
    const { payments } = processor();
    const { id } = await subscribe(processor(), price);
    const [invoice] = await all(payments.listInvoices({ account: null, since: 0, subscriptionId: id }));
    return invoice?.id ?? "";
  }

  async function aCharge(): Promise<string> {
    const charge = await processor().payments.readChargeOfInvoice(await anInvoice(), null);
    return charge?.id ?? "";
  }

  const newKey = () => crypto.randomUUID();

  it("finds the charge of an invoice, and none of an invoice that nothing was charged for", async () => {
    const { payments } = processor();
    const invoiceId = await anInvoice();
    const free = await anInvoice(aPrice({ amount: 0 }));

    const charge = await payments.readChargeOfInvoice(invoiceId, null);

    expect(charge).toMatchObject({ invoiceId, amount: 4900, amountRefunded: 0, refunds: [] });
    expect(await payments.readChargeOfInvoice(free, null)).toBeNull();
  });

  it("refunds a part with reason and note, then the rest", async () => {
    const { payments } = processor();
    const chargeId = await aCharge();
    const [one, other] = [newKey(), newKey()];

    const part = await payments.refundCharge(chargeId, {
      account: null,
      amount: 900,
      reason: "duplicate",
      note: "Charged twice.",
      idempotencyKey: one,
    });
    await payments.refundCharge(chargeId, { account: null, amount: 4000, idempotencyKey: other });

    const { amountRefunded, refunds } = await payments.readCharge(chargeId, null);
    expect(part).toMatchObject({ amount: 900, reason: "duplicate", note: "Charged twice." });
    expect(amountRefunded).toBe(4900);
    expect(refunds).toEqual([
      expect.objectContaining({ amount: 4000, reason: null, note: null, idempotencyKey: other }),
      { ...part, idempotencyKey: one },
    ]);
  });

  it("makes one refund of a key, however often and however late it is asked for", async () => {
    const { payments, advance } = processor();
    const chargeId = await aCharge();
    const request = { account: null, amount: 900, idempotencyKey: newKey() };

    const made = await Promise.all(Array.from({ length: 3 }, () => payments.refundCharge(chargeId, request)));
    await advance(3);
    const late = await payments.refundCharge(chargeId, request);

    expect(new Set([...made, late].map(({ id }) => id)).size).toBe(1);
    expect((await payments.readCharge(chargeId, null)).amountRefunded).toBe(900);
  });

  it("refuses more than is left, also where two refunds race for it", async () => {
    const { payments } = processor();
    const chargeId = await aCharge();
    const refund = (amount: number) =>
      payments.refundCharge(chargeId, { account: null, amount, idempotencyKey: newKey() });

    await expect(refund(4901)).rejects.toMatchObject({ code: "REFUND_REFUSED", canRetry: false });
    const racing = await Promise.allSettled([refund(3000), refund(3000)]);
    await expect(refund(1901)).rejects.toMatchObject({ code: "REFUND_REFUSED" });
    await refund(1900);
    await expect(refund(1)).rejects.toMatchObject({ code: "REFUND_REFUSED" });

    expect(racing.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await payments.readCharge(chargeId, null)).amountRefunded).toBe(4900);
  });

  it("refuses to refund what the customer's bank has taken back", async () => {
    const { payments, dispute } = processor();
    const chargeId = await aCharge();
    await dispute(chargeId);

    const refused = payments.refundCharge(chargeId, { account: null, amount: 1, idempotencyKey: newKey() });

    await expect(refused).rejects.toMatchObject({ code: "REFUND_REFUSED" });
  });

  it("finds no charge of a stranger's", async () => {
    const { payments } = processor();
    const request = { account: null, amount: 1, idempotencyKey: newKey() };

    await expect(payments.refundCharge("ch_missing", request)).rejects.toMatchObject({
      name: "PaymentsError",
    });
  });
}
