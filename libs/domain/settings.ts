/** Mails that a publisher can turn off: three to their own people, and the monthly reports to their advertisers. */
export const MUTABLE_MAILS = [
  "adWaiting",
  "paymentFailed",
  "subscriptionCanceled",
  "monthlyReports",
] as const;

export type MutableMail = (typeof MUTABLE_MAILS)[number];
