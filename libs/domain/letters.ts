import type { PublisherMail } from "./settings.ts";

/**
 * Letters of a kind that a publisher gets one by one per hour and workspace; further ones are lines of one digest. Kinds do not share
 * room, so that many purchases never hide a failed payment.
 */
export const SINGLE_LETTERS_PER_HOUR: Readonly<Record<PublisherMail, number>> = {
  purchase: 5,
  adWaiting: 5,
  paymentFailed: 20,
  subscriptionCanceled: 20,
  adAlert: 5,
};

/**
 * Letters of a kind that one advertiser's address receives per hour from all workspaces. Anybody can buy for free with anybody's
 * address, and publishers and buyers decide how often something happens: none of them can fill somebody else's mailbox. Where many
 * letters may be due at once, to an agency with many ads, there is room for them.
 */
export const ADVERTISER_LETTERS_PER_HOUR = {
  purchase: 20,
  "missing-ad": 20,
  links: 10,
  decision: 100,
  pause: 20,
  refund: 20,
  billing: 100,
  report: 100,
} as const;

/** Kinds of letters to advertisers. */
export type AdvertiserMail = keyof typeof ADVERTISER_LETTERS_PER_HOUR;

/** Why a letter reached nobody: over a limit, refused by the mail server for good, or given up after every attempt. */
export const DROP_REASONS = ["limit", "refused", "unsent"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** How long it is known that a letter was dropped. */
export const DROPPED_MAILS_DAYS = 30;
