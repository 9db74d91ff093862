import type { ChargeAt } from "./settings.ts";

/** The terms of a purchase that is not free. */
export interface ChargingTerms {
  readonly chargeAt: ChargeAt;
  /** Whether a trial comes before the first charge; false where that is not known. */
  readonly hasTrial: boolean;
  /** The publisher's name. */
  readonly workspace: string;
  /** Whether the reader has bought already. */
  readonly isBought: boolean;
}

/**
 * When an advertiser is charged and what a rejection means for the money: the same on the offer, at checkout, on the page of the ad and
 * in emails.
 */
export function chargingRule({ chargeAt, hasTrial, workspace, isBought }: ChargingTerms): string {
  if (chargeAt === "approval") {
    // A trial that was promised then is not in what was bought.
    if (isBought)
      return "Your card is saved, and nothing is charged before your ad is approved. If it's rejected, you pay nothing.";
    return hasTrial
      ? "Your card is saved at checkout. Your trial starts once your ad is approved. If it's rejected, you pay nothing."
      : "Your card is saved at checkout and charged once your ad is approved. If it's rejected, you pay nothing.";
  }
  if (hasTrial) {
    return `Your card is charged after the trial, and only once your ad is approved. If ${workspace} rejects it, the subscription is canceled.`;
  }
  const today = isBought ? "" : "You pay today. ";
  return `${today}Your subscription renews only once your ad is approved. If ${workspace} rejects it, the subscription is canceled and you can ask ${workspace} for a refund.`;
}

/**
 * The rule for the payment processor's page, with the days of the trial: the page may show a first payment far in the future for
 * a card that is only saved. `trialDays` is null for none.
 */
export function checkoutTerms({
  trialDays,
  ...terms
}: Omit<ChargingTerms, "hasTrial" | "isBought"> & { readonly trialDays: number | null }): string {
  const rule = chargingRule({ ...terms, hasTrial: trialDays !== null, isBought: false });
  const days = trialDays === 1 ? "day" : `${trialDays} days`;
  if (terms.chargeAt === "approval") {
    const trial = trialDays === null ? "" : `Free for the first ${days} after the approval. `;
    return `${trial}${rule} This holds whatever date is shown for the first payment.`;
  }
  return trialDays === null ? rule : `Free for the first ${days}. ${rule}`;
}
