import type { MemberRole } from "#libs/domain/member.ts";
import type { Interval } from "#libs/domain/period.ts";
import { english } from "./languages/en.ts";
import type { Letter } from "./letter.ts";

/**
 * Everything that mails say in one language. Another language is another file in `languages/` that fills this in, and a
 * line in `LANGUAGES`.
 */
export interface Language {
  /** BCP 47; numbers, money and dates are written as Intl has them for it. */
  readonly locale: string;

  // To people, about their account
  verification(link: { readonly url: string }): Letter;
  passwordReset(reset: { readonly name: string; readonly url: string }): Letter;
  existingAccount(link: { readonly url: string }): Letter;
  emailChange(link: { readonly url: string }): Letter;
  emailTaken(link: { readonly url: string }): Letter;
  emailChangeNotice(change: EmailChangeFacts): Letter;
  securityChange(changed: SecurityFacts): Letter;
  invitation(invitation: InvitationFacts): Letter;

  // To publishers
  adWaiting(waiting: AdWaitingFacts): Letter;
  buyerPaymentFailed(failed: SaleFacts): Letter;
  subscriptionCanceled(canceled: CancellationFacts): Letter;

  // To advertisers
  purchase(purchase: PurchaseFacts): Letter;
  decision(decision: DecisionFacts): Letter;
  paymentFailed(failed: SaleFacts): Letter;
  monthlyReport(report: ReportFacts): Letter;

  /** The page that ends monthly reports. */
  readonly unsubscribePage: {
    readonly title: string;
    question(workspace: string): string;
    readonly button: string;
    done(workspace: string): string;
    readonly unknown: string;
  };
}

export interface EmailChangeFacts {
  readonly name: string;
  readonly newEmail: string;
  /** Whether it has happened already; otherwise it waits for the new address to be confirmed. */
  readonly isDone: boolean;
}

/** A change to how a person signs in. */
export type SecurityChange =
  | "two-factor-on"
  | "two-factor-off"
  | "recovery-codes-replaced"
  | "recovery-code-used"
  | "passkey-added"
  | "passkey-removed";

export interface SecurityFacts {
  readonly name: string;
  readonly change: SecurityChange;
  /** Where the person can look at it. */
  readonly url: string;
}

export interface InvitationFacts {
  readonly inviter: string;
  readonly workspace: string;
  readonly role: MemberRole;
  readonly days: number;
  readonly url: string;
}

export interface AdWaitingFacts {
  readonly workspace: string;
  readonly advertiser: string;
  readonly ad: string;
  readonly tier: string;
  /** Whether it is a new version of an ad that stays on air. */
  readonly isRevision: boolean;
  readonly url: string;
}

/** What an advertiser bought of a publisher. Amounts are in the currency's smallest unit. */
export interface SaleFacts {
  readonly workspace: string;
  readonly advertiser: string;
  /** Null before the first submission. */
  readonly ad: string | null;
  readonly tier: string;
  readonly price: {
    readonly amount: number;
    readonly currency: string;
    readonly interval: Interval;
    readonly intervalCount: number;
  };
  /** Null where there is no page to send the reader to. */
  readonly url: string | null;
}

export interface PurchaseFacts extends Pick<SaleFacts, "workspace" | "tier" | "price"> {
  /** When the trial ends; null where there is none. */
  readonly trialEnd: Date | null;
  /** Where the ad is sent, and shown once it is. */
  readonly url: string;
}

export interface CancellationFacts extends SaleFacts {
  /** When it is to end; null where it has ended. */
  readonly endsAt: Date | null;
  /** What the advertiser has written. */
  readonly comment: string | null;
}

/** What a publisher decided of an ad, or of a new version of one that stays on air. */
export type Decision =
  | "ad-approved"
  | "ad-changes-requested"
  | "ad-rejected"
  | "revision-approved"
  | "revision-changes-requested"
  | "revision-rejected";

export interface DecisionFacts {
  readonly decision: Decision;
  readonly workspace: string;
  readonly advertiser: string;
  readonly ad: string;
  /** What the publisher has written; null for an approval. */
  readonly note: string | null;
  /** Whether anything has to be paid for the ad. */
  readonly isPaid: boolean;
  /** Where the ad is edited. */
  readonly url: string | null;
}

export interface ReportFacts {
  readonly workspace: string;
  readonly advertiser: string;
  /** `2026-10`. */
  readonly month: string;
  /** The ads with most impressions first. */
  readonly ads: readonly { readonly name: string; readonly impressions: number; readonly clicks: number }[];
  /** How many ads more were served than are listed. */
  readonly unlisted: number;
  readonly totals: { readonly impressions: number; readonly clicks: number };
  readonly unsubscribeUrl: string;
}

const DEFAULT_LANGUAGE = english;
const LANGUAGES: readonly Language[] = [english];

/** The language for a locale, or for that without its region; English where there is none or it is not known. */
export function languageFor(locale?: string): Language {
  const named = (name: string | undefined) => LANGUAGES.find((language) => language.locale === name);
  return named(locale) ?? named(locale?.split("-")[0]) ?? DEFAULT_LANGUAGE;
}
