import type { Decision, Language } from "../language.ts";
import type { Letter } from "../letter.ts";

const DECISIONS: readonly Decision[] = [
  "ad-approved",
  "ad-changes-requested",
  "ad-rejected",
  "revision-approved",
  "revision-changes-requested",
  "revision-rejected",
];

/** What people have typed, wherever a mail repeats it. */
export interface Typed {
  readonly name: string;
  readonly note: string;
}

export const URL_IN_MAILS = "https://ads.example/v1/somewhere?a=1&b='2'";

/** Each letter of a language by a name, made of these words. */
export function everyLetter(language: Language, { name, note }: Typed): [string, Letter][] {
  const url = URL_IN_MAILS;
  const sale = {
    workspace: name,
    advertiser: name,
    ad: name,
    tier: name,
    price: { amount: 4900, currency: "usd", interval: "Month", intervalCount: 1 },
    url,
  } as const;
  const asked = { workspace: name, advertiser: name, ad: name, tier: name, url };
  const decided = { workspace: name, advertiser: name, ad: name, isPaid: true, url };
  return [
    ["verification", language.verification({ url })],
    ["passwordReset", language.passwordReset({ name, url })],
    ["existingAccount", language.existingAccount({ url })],
    ["emailChange", language.emailChange({ url })],
    ["emailTaken", language.emailTaken({ url })],
    ["emailChangeNotice", language.emailChangeNotice({ name, newEmail: "ada@new.example", isDone: false })],
    ["emailChanged", language.emailChangeNotice({ name, newEmail: "ada@new.example", isDone: true })],
    ["securityChange", language.securityChange({ name, change: "passkey-added", url })],
    ["invitation", language.invitation({ inviter: name, workspace: name, role: "Manager", days: 7, url })],
    ["adWaiting", language.adWaiting({ ...asked, isRevision: false })],
    ["revisionWaiting", language.adWaiting({ ...asked, isRevision: true })],
    ["buyerPaymentFailed", language.buyerPaymentFailed(sale)],
    ["subscriptionEnded", language.subscriptionCanceled({ ...sale, endsAt: null, comment: note })],
    [
      "subscriptionCanceled",
      language.subscriptionCanceled({ ...sale, endsAt: new Date("2026-12-01T00:00:00Z"), comment: note }),
    ],
    ["purchase", language.purchase({ ...sale, trialEnd: null })],
    ["purchaseOnTrial", language.purchase({ ...sale, trialEnd: new Date("2026-12-01T00:00:00Z") })],
    [
      "purchaseForNothing",
      language.purchase({ ...sale, price: { ...sale.price, amount: 0 }, trialEnd: null }),
    ],
    ...DECISIONS.map((decision): [string, Letter] => [
      decision,
      language.decision({ ...decided, decision, note }),
    ]),
    ["paymentFailed", language.paymentFailed(sale)],
    ["paymentFailedWithoutPage", language.paymentFailed({ ...sale, ad: null, url: null })],
    [
      "monthlyReport",
      language.monthlyReport({
        workspace: name,
        advertiser: name,
        month: "2026-10",
        ads: [
          { name, impressions: 12_345, clicks: 678 },
          { name, impressions: 0, clicks: 1 },
        ],
        unlisted: 3,
        totals: { impressions: 20_000, clicks: 1_000 },
        unsubscribeUrl: url,
      }),
    ],
  ];
}
