import type { Services } from "../services.ts";

/**
 * Writes the processor's invoice into the ledger as it is now, with the subscription and advertiser that it bills; one
 * that bills no subscription sold here is left out. Returns whether anything was written. Throws `PaymentsError`.
 */
export async function recordInvoice(
  services: Services,
  providerInvoiceId: string,
  account: string | null,
): Promise<boolean> {
  services.logger.debug({ providerInvoiceId, account }, "the ledger does not keep invoices yet");
  return false;
}

/**
 * Writes what was refunded or disputed of a charge into the ledger as it is now, with the invoice that it paid. Returns
 * whether anything was written. Throws `PaymentsError`.
 */
export async function recordCharge(
  services: Services,
  providerChargeId: string,
  account: string | null,
): Promise<boolean> {
  services.logger.debug({ providerChargeId, account }, "the ledger does not keep charges yet");
  return false;
}
