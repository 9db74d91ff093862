import { z } from "zod";
import { MOST_ALERT_HOURS } from "#libs/domain/ad-alerts.ts";

function mail(what: string) {
  return z.boolean().meta({ description: `${what} True until turned off.`, examples: [true] });
}

/** The emails that a publisher can turn off. */
export const mails = {
  purchase: mail(
    "To Owners and Managers: somebody has bought a placement, or has submitted no ad three days after.",
  ),
  adWaiting: mail("To Owners and Managers: a creative waits for review."),
  paymentFailed: mail(
    "To Owners and Managers: an advertiser's payment has failed, or is disputed at the bank.",
  ),
  subscriptionCanceled: mail(
    "To Owners and Managers: a subscription was canceled, or is going to be, or its cancellation was withdrawn.",
  ),
  adAlert: mail("To Owners and Managers: a live ad has no views, or much invalid traffic, as `alerts` says."),
  monthlyReports: mail(
    "To advertisers: what their ads have brought in the month, or in the week for those who chose it.",
  ),
};

/** When `adAlert` is sent. */
export const alerts = {
  hours: z
    .int()
    .min(1)
    .max(MOST_ALERT_HOURS)
    .meta({
      description: "How far back alerts look, in hours. Only ads that were live all that time are named.",
      examples: [24],
    }),
  invalidPercent: z
    .int()
    .min(1)
    .max(100)
    .meta({
      description:
        "The percentage of invalid events from which an ad is named, if it has at least 100 events.",
      examples: [50],
    }),
};
