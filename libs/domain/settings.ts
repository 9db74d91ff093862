/** Kinds of mail to a publisher's own people. */
export const PUBLISHER_MAILS = [
  "purchase",
  "adWaiting",
  "paymentFailed",
  "subscriptionCanceled",
  "adAlert",
] as const;
export type PublisherMail = (typeof PUBLISHER_MAILS)[number];

/** Mails that a publisher can turn off: those to their own people, and the reports to their advertisers. */
export const MUTABLE_MAILS = [...PUBLISHER_MAILS, "monthlyReports"] as const;

export type MutableMail = (typeof MUTABLE_MAILS)[number];

/** When an advertiser is charged first: as they buy, or once the publisher has approved their ad. */
export const CHARGE_AT = ["purchase", "approval"] as const;

export type ChargeAt = (typeof CHARGE_AT)[number];

/** The most days that an ad stays live after a renewal has failed. */
export const MOST_GRACE_DAYS = 14;
