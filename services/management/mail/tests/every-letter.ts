import { PUBLISHER_MAILS } from "#libs/domain/settings.ts";
import {
  emailChangeLetter,
  emailChangeNotice,
  emailTakenLetter,
  existingAccountLetter,
  invitationLetter,
  passwordResetLetter,
  securityNotice,
  verificationLetter,
} from "../account-letters.ts";
import { adMissingLetter, linksLetter, purchaseLetter } from "../advertiser-letters.ts";
import { adAlertNotice } from "../alert-letter.ts";
import { cancellationNotice, continuesNotice } from "../cancellation-notices.ts";
import { canceledByPublisherLetter, closedLetter } from "../closing-letters.ts";
import { type Decision, type DecisionFacts, decisionLetter } from "../decision-letters.ts";
import { type DisputeNews, disputeNotice } from "../dispute-letters.ts";
import {
  adMissingNotice,
  digestLetter,
  failedRefundNotice,
  lateRefundNotice,
  overdueRefundNotice,
  purchaseNotice,
  reviewLetter,
} from "../publisher-letters.ts";
import { refundLetter } from "../refund-letter.ts";
import { advertiserReport, memberReport } from "../report-letters.ts";
import type { Unshown } from "../sales.ts";
import {
  continuesLetter,
  type End,
  endedLetter,
  paymentFailedLetter,
  paymentMadeLetter,
} from "../subscription-letters.ts";
import {
  CONTINUES,
  ENDS_AT,
  lettersOfOutlooks,
  type Named,
  NOTHING_MORE,
  OWED,
} from "./letters-of-outlooks.ts";

const ENDS: readonly End[] = ["planned", "payment failed", "payment disputed", "canceled", "not charged"];

const UNSHOWN: readonly Unshown[] = ["not reviewed", "not approved", "approved"];

const MONTH = { kind: "month", name: "2026-10", from: "2026-10-01", to: "2026-10-31" } as const;
const WEEK = { kind: "week", name: "2026-10-19", from: "2026-10-19", to: "2026-10-25" } as const;

const DISPUTES: readonly DisputeNews[] = ["inquiry", "opened", "won", "lost", "settled"];

const DECISIONS: readonly Decision[] = [
  "ad-approved",
  "ad-changes-requested",
  "ad-rejected",
  "revision-approved",
  "revision-changes-requested",
  "revision-rejected",
];

/** People's input, wherever an email repeats it. */
export interface Typed {
  readonly name: string;
  readonly note: string;
}

export const URL_IN_MAILS = "https://ads.example/v1/somewhere?a=1&b='2'";

/** Every letter by a name, made of these words. */
export function everyLetter({ name, note }: Typed): Named[] {
  const url = URL_IN_MAILS;
  const sale = {
    workspace: name,
    advertiser: name,
    ad: name,
    tier: name,
    price: { amount: 4900, currency: "usd", interval: "Month", intervalCount: 1 },
    url,
  } as const;
  const bought = { ...sale, trialEnd: null, chargeAt: "purchase" } as const;
  const outlook = CONTINUES;
  const ended = { ...sale, ...NOTHING_MORE, outlook: null, paid: null } as const;
  const end = { at: ENDS_AT, isRenewed: false };
  const canceled = { ...ended, outlook: { ...outlook, end } };
  const decided = (decision: Decision, facts: Partial<DecisionFacts> = {}) =>
    decisionLetter({
      workspace: name,
      advertiser: name,
      ad: name,
      isPaid: true,
      url,
      decision,
      note,
      ...facts,
    });
  const values = [
    { name, impressions: 12_345, clicks: 678 },
    { name, impressions: 0, clicks: 1 },
  ];
  const reported = {
    workspace: name,
    period: MONTH,
    timeZone: "Asia/Kathmandu",
    counts: { impressions: 20_000, clicks: 1_000 },
    before: { impressions: 10_000, clicks: 0 },
    days: [{ date: "2026-10-01", count: 20_000, clicks: 1_000, before: 10_000 }],
    ads: values,
    unlisted: 3,
    splits: [{ title: "Placement", values: [...values, { name, impressions: 5, clicks: "<5" }] }],
    url,
    unsubscribeUrl: url,
  };
  const refunded = { workspace: name, advertiser: name, amount: 900, currency: "usd" };
  return [
    ["verification", verificationLetter({ url })],
    ["passwordReset", passwordResetLetter({ url })],
    ["existingAccount", existingAccountLetter({ url })],
    ["emailChange", emailChangeLetter({ url })],
    ["emailTaken", emailTakenLetter({ url })],
    ["emailChangeNotice", emailChangeNotice({ name, newEmail: "ada@new.example", isDone: false })],
    ["emailChanged", emailChangeNotice({ name, newEmail: "ada@new.example", isDone: true })],
    ["securityChange", securityNotice({ name, change: "passkey-added", url })],
    ["invitation", invitationLetter({ inviter: name, workspace: name, role: "Manager", days: 7, url })],
    ["adWaiting", reviewLetter({ ...sale, isRevision: false })],
    ["revisionWaiting", reviewLetter({ ...sale, isRevision: true })],
    ["bought", purchaseNotice(sale)],
    ["boughtWithoutAd", purchaseNotice({ ...sale, ad: null })],
    ["adMissing", adMissingNotice({ ...sale, days: 3, paidUntil: ENDS_AT, isReminded: true })],
    ["adMissingWithoutAddress", adMissingNotice({ ...sale, days: 3, paidUntil: null, isReminded: false })],
    ["links", linksLetter(sale)],
    ["submitReminder", adMissingLetter({ ...sale, paidUntil: ENDS_AT })],
    ["overdueRefund", overdueRefundNotice(sale)],
    ["lateRefund", lateRefundNotice({ ...sale, amount: 900, currency: "usd" })],
    ["failedRefund", failedRefundNotice({ ...sale, amount: 900, currency: "usd" })],
    ...PUBLISHER_MAILS.map(
      (kind): Named => [`digest: ${kind}`, digestLetter({ kind, lines: [name, name], workspace: name, url })],
    ),
    ["canceledByPublisher", canceledByPublisherLetter({ ...sale, note, isPaid: true, refunded: "due" })],
    [
      "canceledByPublisherWithoutAd",
      canceledByPublisherLetter({ ...sale, ad: null, note: null, isPaid: false }),
    ],
    ["closed", closedLetter({ ...sale, contact: "ads@weekly.example", refunds: true })],
    ["closedWithoutRefund", closedLetter({ ...sale, contact: "ads@weekly.example", refunds: false })],
    ["subscriptionEnded", cancellationNotice({ ...ended, comment: note, unused: 1250 })],
    ["subscriptionCanceled", cancellationNotice({ ...canceled, comment: note })],
    ["subscriptionCanceledWithoutAd", cancellationNotice({ ...canceled, ad: null })],
    ...UNSHOWN.flatMap((unshown): Named[] => [
      [`subscriptionEnded: ${unshown}`, cancellationNotice({ ...ended, isPaid: true, unshown })],
      [`subscriptionCanceled: ${unshown}`, cancellationNotice({ ...canceled, unshown })],
    ]),
    ["purchase", purchaseLetter(bought)],
    ["purchaseAtApproval", purchaseLetter({ ...bought, chargeAt: "approval" })],
    ["purchaseOnTrial", purchaseLetter({ ...bought, trialEnd: ENDS_AT })],
    ["purchaseForNothing", purchaseLetter({ ...bought, price: { ...sale.price, amount: 0 } })],
    ...DECISIONS.map((decision): Named => [decision, decided(decision)]),
    ...(["first payment", "off"] as const).map(
      (effect): Named => [`ad-approved, ${effect}`, decided("ad-approved", { effect, note: null })],
    ),
    ...(["first payment", "off"] as const).map(
      (effect): Named => [
        `revision-approved, ${effect}`,
        decided("revision-approved", { effect, note: null }),
      ],
    ),
    ["revision-changes-requested, off", decided("revision-changes-requested", { effect: "off" })],
    ["revision-rejected, off", decided("revision-rejected", { effect: "off" })],
    ...[true, false].map(
      (isAll): Named => [
        `ad-rejected, ${isAll ? "all" : "some"} refunded`,
        decided("ad-rejected", { refunded: { amount: 3119, currency: "usd", isAll } }),
      ],
    ),
    ["ad-rejected, refund due", decided("ad-rejected", { refunded: "due" })],
    ["ad-rejected, after the end", decided("ad-rejected", { refunded: "due", hadEnded: true })],
    ...DISPUTES.map((news): Named => {
      const dispute = { ...refunded, news, invoice: "A1B2-0001", dueBy: ENDS_AT, sale };
      return [`dispute: ${news}`, disputeNotice({ ...dispute, hasEnded: news === "won" })];
    }),
    ["buyerContinues", continuesNotice({ ...sale, outlook: OWED })],
    ["continues", continuesLetter({ ...sale, outlook: OWED })],
    ["refund", refundLetter({ ...refunded, invoice: "A1B2-0001", reason: "duplicate", note })],
    ["refundWithoutWords", refundLetter({ ...refunded, invoice: null, reason: null, note: null })],
    [
      "paymentFailedWithoutPage",
      paymentFailedLetter({ ...sale, ad: null, url: null, outlook: OWED, paid: null }),
    ],
    ["paymentMade", paymentMadeLetter({ ...sale, outlook })],
    ...lettersOfOutlooks(sale),
    ...ENDS.map((end): Named => [`ended: ${end}`, endedLetter({ ...ended, end, comment: note })]),
    ["endedWithPayment", endedLetter({ ...ended, end: "canceled", paid: 7000 })],
    ["endedWithoutAd", endedLetter({ ...ended, ad: null, end: "canceled" })],
    ...UNSHOWN.map(
      (unshown): Named => [
        `ended: ${unshown}`,
        endedLetter({ ...ended, end: "planned", unshown, isPaid: true }),
      ],
    ),
    ...[true, false].map(
      (isAllUnseen): Named => [
        `adAlert: ${isAllUnseen ? "all unseen" : "some"}`,
        adAlertNotice({
          ...sale,
          hours: isAllUnseen ? 1 : 24,
          invalidPercent: 50,
          unseen: [name],
          invalid: isAllUnseen ? [] : [name],
          isAllUnseen,
          url,
        }),
      ],
    ),
    ["advertiserReport", advertiserReport({ ...reported, advertiser: name })],
    [
      "advertiserReport, first and alone",
      advertiserReport({
        ...reported,
        advertiser: name,
        period: WEEK,
        before: null,
        unlisted: 0,
        splits: [],
        url: null,
      }),
    ],
    ["memberReport", memberReport({ ...reported, member: name })],
  ];
}
