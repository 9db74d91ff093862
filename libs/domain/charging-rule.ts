import type { ChargeAt } from "./settings.ts";

/** The terms of a purchase that is not free. */
export interface ChargingTerms {
  readonly chargeAt: ChargeAt;
  /** Whether a trial comes before the first charge; false where that is not known. */
  readonly hasTrial: boolean;
  /** The publisher's name. */
  readonly workspace: string;
}

/**
 * When an advertiser is charged and what a rejection means for the money, in one sentence: the same on the offer, at checkout,
 * on the page of the ad and in emails.
 */
export function chargingRule({ chargeAt, hasTrial, workspace }: ChargingTerms): string {
  if (chargeAt === "approval") {
    return hasTrial
      ? "Your card is saved at checkout and your trial starts when your ad is approved; if it's rejected, you pay nothing."
      : "Your card is saved at checkout and charged only after your ad is approved; if it's rejected, you pay nothing.";
  }
  return hasTrial
    ? "Your card is charged after the trial, and not before your ad is approved; if it's rejected, your subscription is canceled."
    : `Payment is taken at checkout, and your subscription doesn't renew before your ad is approved; if it's rejected, your subscription is canceled and ${workspace} decides about a refund.`;
}

/**
 * The rule for the payment processor's page, with the days of the trial: the page may show a first payment far in the future for
 * a card that is only saved. `trialDays` is null for none.
 */
export function checkoutTerms({
  trialDays,
  ...terms
}: Omit<ChargingTerms, "hasTrial"> & { readonly trialDays: number | null }): string {
  const rule = chargingRule({ ...terms, hasTrial: trialDays !== null });
  const days = trialDays === 1 ? "day" : `${trialDays} days`;
  if (terms.chargeAt === "approval") {
    const trial = trialDays === null ? "" : `Free for the first ${days} after the approval. `;
    return `${trial}${rule} This holds whatever date is shown for the first payment.`;
  }
  return trialDays === null ? rule : `Free for the first ${days}. ${rule}`;
}
