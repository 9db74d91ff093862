import { PaymentsError } from "#libs/payments/index.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import type { Services } from "../services.ts";
import { untilCurrent } from "../until-current.ts";
import { hasChargeState, hasInvoiceState } from "./invoice-state.ts";
import {
  type Billed,
  deleteDraft,
  findBilled,
  findCharge,
  findInvoice,
  type InvoiceRow,
  insertInvoice,
  putCharge,
  updateInvoice,
} from "./writes.ts";

/**
 * Writes the processor's invoice into the ledger as it is now, with the subscription and advertiser that it bills; one
 * that bills no subscription sold here is left out, and a draft that is gone is dropped. Returns whether anything is
 * different now. Throws `PaymentsError`.
 */
export async function recordInvoice(
  services: Services,
  providerInvoiceId: string,
  account: string | null,
): Promise<boolean> {
  const { db } = services;
  return await untilCurrent<boolean>(async () => {
    const known = await findInvoice(db, providerInvoiceId);
    const provider = await unlessMissing(services.payments.readInvoice(providerInvoiceId, account));
    if (provider === null) {
      if (known?.status !== "draft") return false;
      return (await deleteDraft(db, known)) || "outdated";
    }
    if (provider.subscriptionId === null) return false;
    if (known !== undefined) {
      // Also when all is as it was: whoever looked earlier, and saw something else, must not write that now.
      if (!(await updateInvoice(db, known, provider))) return "outdated";
      return !hasInvoiceState(known, provider);
    }
    const billed = await ensureBilled(services, provider.subscriptionId, account);
    if (billed === undefined) return false;
    return (await insertInvoice(db, billed, provider)) || "outdated";
  });
}

/**
 * Writes what was refunded or disputed of a charge into the ledger as it is now, with the invoice that it paid. Returns
 * whether anything is different now. Throws `PaymentsError`.
 */
export async function recordCharge(
  services: Services,
  providerChargeId: string,
  account: string | null,
): Promise<boolean> {
  const { db } = services;
  return await untilCurrent<boolean>(async () => {
    const known = await findCharge(db, providerChargeId);
    const provider = await unlessMissing(services.payments.readCharge(providerChargeId, account));
    if (provider === null || provider.invoiceId === null) return false;
    if (known === undefined && provider.amountRefunded === 0 && !provider.disputed) return false;

    const invoice = await ensureInvoice(services, provider.invoiceId, account);
    if (invoice === undefined) return false;
    const written = await db.transaction().execute((trx) => putCharge(trx, invoice, known, provider));
    if (!written) return "outdated";
    return known === undefined || !hasChargeState(known, known.refunds, provider);
  });
}

/** The subscription that is billed; the event that tells of it may come only after that of its invoice. */
async function ensureBilled(
  services: Services,
  providerSubscriptionId: string,
  account: string | null,
): Promise<Billed | undefined> {
  const known = await findBilled(services.db, providerSubscriptionId, account);
  if (known !== undefined) return known;
  await syncSubscription(services, providerSubscriptionId, account);
  return await findBilled(services.db, providerSubscriptionId, account);
}

/** The invoice that was charged; the event that tells of it may come only after that of its refund. */
async function ensureInvoice(
  services: Services,
  providerInvoiceId: string,
  account: string | null,
): Promise<InvoiceRow | undefined> {
  const known = await findInvoice(services.db, providerInvoiceId);
  if (known !== undefined) return known;
  await recordInvoice(services, providerInvoiceId, account);
  return await findInvoice(services.db, providerInvoiceId);
}

/** The processor has no object for ever: a draft can be deleted. */
async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PaymentsError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
