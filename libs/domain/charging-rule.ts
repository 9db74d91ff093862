import type { ChargeAt } from "./settings.ts";

/** The terms of a purchase that is not free. */
export interface ChargingTerms {
  readonly chargeAt: ChargeAt;
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
      : "Your card is saved at checkout and charged only when your ad is approved; if it's rejected, you pay nothing.";
  }
  return hasTrial
    ? "Your card is charged after the trial, and not before your ad is approved; if it's rejected, your subscription is canceled."
    : `You pay at checkout, and your subscription doesn't renew before your ad is approved; if it's rejected, your subscription is canceled and ${workspace} decides about a refund.`;
}

/** The rule for the payment processor's page, which may show a first payment far in the future for a card that is only saved. */
export function checkoutTerms(terms: ChargingTerms): string {
  const rule = chargingRule(terms);
  return terms.chargeAt === "approval"
    ? `${rule} This holds whatever date is shown for the first payment.`
    : rule;
}
