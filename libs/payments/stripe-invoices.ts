import { Stripe } from "stripe";
import type { ProcessorInvoice } from "./money.ts";
import type { Payments, Write } from "./payments.ts";
import { answered, callStripe, isRefusal } from "./stripe-errors.ts";
import { readInvoice, readInvoiceObject } from "./stripe-money.ts";
import { writeIn } from "./stripe-request.ts";

/** Collects and voids invoices. Each call resolves with the invoice as it is then, whether or not it could be done. */
export function invoiceCalls(
  stripe: Stripe,
): Pick<Payments, "payInvoice" | "collectInvoice" | "voidInvoice"> {
  /** An invoice of a subscription cannot be deleted as long as it is a draft, nor paid, nor voided. */
  async function finalized(id: string, { account, idempotencyKey }: Write): Promise<ProcessorInvoice> {
    const invoice = await readInvoice(stripe, id, account);
    if (invoice.status !== "draft") return invoice;
    const write = writeIn(account, `${idempotencyKey}-finalize`);
    return readInvoiceObject(await stripe.invoices.finalizeInvoice(id, { auto_advance: false }, write));
  }

  /** A refusal is that of an invoice that was settled meanwhile, or of a card that was declined. */
  async function attempt(
    id: string,
    { account }: Write,
    change: () => Promise<Stripe.Invoice>,
  ): Promise<ProcessorInvoice> {
    try {
      return readInvoiceObject(answered("invoice", await change()));
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof Stripe.errors.StripeCardError)) throw error;
      return await readInvoice(stripe, id, account);
    }
  }

  return {
    payInvoice: (id, write) =>
      callStripe(async () => {
        const invoice = await finalized(id, write);
        if (invoice.status !== "open") return invoice;
        const key = writeIn(write.account, write.idempotencyKey);
        return await attempt(id, write, () => stripe.invoices.pay(id, { off_session: true }, key));
      }),

    collectInvoice: (id, { isCollected, ...write }) =>
      callStripe(() => {
        const key = writeIn(write.account, write.idempotencyKey);
        return attempt(id, write, () => stripe.invoices.update(id, { auto_advance: isCollected }, key));
      }),

    voidInvoice: (id, write) =>
      callStripe(async () => {
        const invoice = await finalized(id, write);
        if (invoice.status !== "open" && invoice.status !== "uncollectible") return invoice;
        const key = writeIn(write.account, write.idempotencyKey);
        return await attempt(id, write, () => stripe.invoices.voidInvoice(id, {}, key));
      }),
  };
}
