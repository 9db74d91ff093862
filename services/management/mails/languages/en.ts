import { everyPeriod } from "#libs/domain/period-words.ts";
import { createFormats } from "../formats.ts";
import type {
  Decision,
  DecisionFacts,
  Language,
  PurchaseFacts,
  ReportFacts,
  SaleFacts,
  SecurityChange,
} from "../language.ts";
import { type Block, type Figures, link, quote, text } from "../letter.ts";
import { subject } from "../subject.ts";

const locale = "en";
const formats = createFormats(locale);

const ACCOUNT_FOOTER = "You get this mail because of what somebody did with this address at Placard.";

const SECURITY_CHANGES: Readonly<Record<SecurityChange, string>> = {
  "two-factor-on": "Two-factor sign-in was switched on for your account",
  "two-factor-off": "Two-factor sign-in was switched off for your account",
  "recovery-codes-replaced": "Your recovery codes were replaced",
  "recovery-code-used": "A recovery code was used to sign in to your account",
  "passkey-added": "A passkey was added to your account",
  "passkey-removed": "A passkey was removed from your account",
};

export const english: Language = {
  locale,

  // Whoever signs up chooses the name, and may not be the one who reads this: so it is not in here.
  verification: ({ url }) => ({
    subject: subject`Confirm your e-mail address`,
    preheader: "Follow the link within an hour and enter your password.",
    blocks: [
      text("Hello,"),
      text(
        "follow this link within an hour and enter the password that you chose, to confirm your e-mail address:",
      ),
      ...link("Confirm the address", url),
      text(
        "If you have not signed up, do nothing: without this link and the password nobody can sign in with your address.",
      ),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  passwordReset: ({ name, url }) => ({
    subject: subject`Choose a new password`,
    preheader: "The link is good for an hour.",
    blocks: [
      text(`Hello ${name},`),
      text("follow this link within an hour to choose a new password. It signs you out everywhere."),
      ...link("Choose a password", url),
      text("If you did not ask for this, do nothing: your password stays as it is."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  existingAccount: ({ url }) => ({
    subject: subject`You have an account already`,
    preheader: "Somebody has tried to sign up with your e-mail address.",
    blocks: [
      text("Hello,"),
      text("somebody has just tried to sign up with your e-mail address. If it was you, sign in instead:"),
      ...link("Sign in", url),
      text("There you can also ask for a new password. If it was not you, nothing has happened."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  // Whoever asks for the change chooses the address, and may not be the one who reads this: so their name is not in here.
  emailChange: ({ url }) => ({
    subject: subject`Confirm your new e-mail address`,
    preheader: "Follow the link within an hour, in the browser that you are signed in with.",
    blocks: [
      text("Hello,"),
      text(
        "To sign in to Placard with this e-mail address from now on, follow this link within an hour. You have to be signed in.",
      ),
      ...link("Confirm the address", url),
      text("If you did not ask for this, do nothing: the link works only for the person who asked."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  emailTaken: ({ url }) => ({
    subject: subject`You have an account already`,
    preheader: "Somebody wanted to use your e-mail address for another account.",
    blocks: [
      text("Hello,"),
      text(
        "Somebody has just asked to use your e-mail address for another account. It stays with yours. If it was you, sign in to the account that you have:",
      ),
      ...link("Sign in", url),
      text("If it was not you, nothing has happened."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  emailChangeNotice: ({ name, newEmail, isDone }) => ({
    subject: isDone
      ? subject`Your e-mail address was changed`
      : subject`Your e-mail address is about to change`,
    preheader: `The new address is ${newEmail}.`,
    blocks: [
      text(`Hello ${name},`),
      isDone
        ? text(
            `The e-mail address of your account was changed to ${newEmail}. Use it to sign in from now on.`,
          )
        : text(
            `The e-mail address of your account will change to ${newEmail} once the link that we sent there has been followed.`,
          ),
      isDone
        ? text("If this was not you, ask the operator of this installation for help at once.")
        : text("If this was not you, change your password now. That stops the change."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  securityChange: ({ name, change, url }) => ({
    subject: subject`${SECURITY_CHANGES[change]}`,
    preheader: "If this was not you, change your password.",
    blocks: [
      text(`Hello ${name},`),
      text(`${SECURITY_CHANGES[change]}. If this was you, there is nothing to do.`),
      text(
        "If it was not you, change your password at once and look at how your account can be signed in to:",
      ),
      ...link("Open your account", url),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  invitation: ({ inviter, workspace, role, days, url }) => ({
    subject: subject`${inviter} invites you to ${workspace}`,
    preheader: `Join ${workspace} as ${role} within ${days} days.`,
    blocks: [
      text("Hello,"),
      text(
        `${inviter} invites you to work in ${workspace} as ${role}. Follow this link within ${days} days and sign in, or sign up, with this e-mail address:`,
      ),
      ...link("Join", url),
      text("If you do not expect this, do nothing."),
    ],
    footer: `You get this mail because ${inviter} has given this address to Placard.`,
  }),

  adWaiting: ({ workspace, advertiser, ad, tier, isRevision, url }) => ({
    subject: subject`${isRevision ? "A new version of an ad" : "An ad"} waits for your review: ${ad}`,
    preheader: `${advertiser}, in ${tier}.`,
    blocks: [
      text("Hello,"),
      isRevision
        ? text(`${advertiser} has proposed a new version of ${ad} (${tier}). The present one stays on air.`)
        : text(`${advertiser} has submitted ${ad} (${tier}). It goes on air when you approve it.`),
      ...link("Review it", url),
    ],
    footer: publisherFooter(workspace),
  }),

  buyerPaymentFailed: (sale) => ({
    subject: subject`A payment of ${sale.advertiser} failed`,
    preheader: `${saleOf(sale)}, ${priceOf(sale)}.`,
    blocks: [
      text("Hello,"),
      text(`the payment of ${sale.advertiser} for ${saleOf(sale)} (${priceOf(sale)}) has failed.`),
      text(
        "Until it is paid the ad is off the air. The payment is tried again, and the advertiser was asked to see to it.",
      ),
      ...link("See the advertiser", sale.url),
    ],
    footer: publisherFooter(sale.workspace),
  }),

  subscriptionCanceled: ({ endsAt, comment, ...sale }) => ({
    subject:
      endsAt === null
        ? subject`The subscription of ${sale.advertiser} has ended`
        : subject`${sale.advertiser} has canceled`,
    preheader: `${saleOf(sale)}, ${priceOf(sale)}.`,
    blocks: [
      text("Hello,"),
      endsAt === null
        ? text(`the subscription of ${sale.advertiser} for ${saleOf(sale)} (${priceOf(sale)}) has ended.`)
        : text(
            `${sale.advertiser} has canceled ${saleOf(sale)} (${priceOf(sale)}). The ad stays on air until ${formats.day(endsAt)}, then the subscription ends.`,
          ),
      ...(comment === null ? [] : [text("The reason given:"), quote(comment)]),
      ...link("See the advertiser", sale.url),
    ],
    footer: publisherFooter(sale.workspace),
  }),

  // Where a tier is free anybody can buy with any name and address, and may not be the one who reads this: so the name is
  // not in here.
  purchase: (bought) => ({
    subject: subject`Send your ad for ${bought.workspace}`,
    preheader: `You have bought ${bought.tier}. Your ad is reviewed before it goes on air.`,
    blocks: [
      text("Hello,"),
      text(`thank you. You have bought ${bought.tier} at ${bought.workspace}: ${termsOf(bought)}.`),
      text(
        `Now send the ad that is to be shown. ${bought.workspace} reviews it and the decision comes by e-mail; once approved it goes on air.`,
      ),
      ...link("Send your ad", bought.url),
      text(
        "Later the same page shows how your ad stands, and there you can change it and your subscription.",
      ),
      text("Keep the address to yourself: whoever has it can do the same."),
    ],
    footer: `You get this mail because advertising at ${bought.workspace}, which uses Placard, was bought with this address.`,
  }),

  decision: (facts) => ({
    subject: subject`${DECISION_SUBJECTS[facts.decision]}: ${facts.ad}`,
    preheader: facts.note ?? `${facts.workspace} has approved it.`,
    blocks: [text(`Hello ${facts.advertiser},`), ...decisionBlocks(facts)],
    footer: advertiserFooter(facts.workspace),
  }),

  paymentFailed: (sale) => ({
    subject: subject`Your payment to ${sale.workspace} failed`,
    preheader: "Until it is paid your ad is off the air.",
    blocks: [
      text(`Hello ${sale.advertiser},`),
      text(
        `your payment to ${sale.workspace} for ${saleOf(sale)} (${priceOf(sale)}) has failed. Until it is paid the ad is off the air.`,
      ),
      sale.url === null
        ? text("It will be tried again. Please make sure that your card is good.")
        : text("It will be tried again. You can see to it at once, or use another card, here:"),
      ...link("See to the payment", sale.url),
    ],
    footer: advertiserFooter(sale.workspace),
  }),

  monthlyReport: (report) => ({
    subject: subject`${formats.month(report.month)}: your ads at ${report.workspace}`,
    preheader: countsOf(report),
    blocks: [
      text(`Hello ${report.advertiser},`),
      text(`in ${formats.month(report.month)} your ads at ${report.workspace} had ${countsOf(report)}.`),
      figuresOf(report),
      ...(report.unlisted === 0
        ? []
        : [text(`${formats.count(report.unlisted)} more ads are in the total and not listed.`)]),
      text("Impressions and clicks are those that count: bots, prefetches and repetitions are left out."),
    ],
    footer: advertiserFooter(report.workspace),
    footerLink: { label: "Stop these monthly reports", url: report.unsubscribeUrl },
  }),

  unsubscribePage: {
    title: "Monthly reports",
    question: (workspace) => `Stop the monthly reports on your ads at ${workspace}?`,
    button: "Stop the reports",
    done: (workspace) => `You get no more monthly reports on your ads at ${workspace}.`,
    unknown: "This link is not known. Please copy the whole of it from the mail.",
  },
};

const DECISION_SUBJECTS: Record<Decision, string> = {
  "ad-approved": "Your ad is approved",
  "ad-changes-requested": "Please change your ad",
  "ad-rejected": "Your ad was rejected",
  "revision-approved": "Your revised ad is approved",
  "revision-changes-requested": "Please change your revised ad",
  "revision-rejected": "Your revised ad was rejected",
};

function decisionBlocks({ decision, workspace, ad, note, isPaid, url }: DecisionFacts): readonly Block[] {
  const noted = note === null ? [] : [quote(note)];
  switch (decision) {
    case "ad-approved":
      return [
        text(`${workspace} has approved ${ad}. It is on air while its subscription runs.`),
        ...link("See your ad", url),
      ];
    case "ad-changes-requested":
      return [
        text(`${workspace} asks you to change ${ad} before it goes on air:`),
        ...noted,
        ...link("Submit it again here", url),
      ];
    case "ad-rejected":
      return [
        text(`${workspace} has rejected ${ad} and ended its subscription:`),
        ...noted,
        text(
          isPaid
            ? `Nothing more will be charged. What you have paid is not returned by the rejection itself: please ask ${workspace} about it.`
            : "Nothing will be charged.",
        ),
      ];
    case "revision-approved":
      return [
        text(`${workspace} has approved the new version of ${ad}. It has taken the place of the old one.`),
        ...link("See your ad", url),
      ];
    case "revision-changes-requested":
      return [
        text(
          `${workspace} asks you to change the new version of ${ad}. Meanwhile the present one stays on air.`,
        ),
        ...noted,
        ...link("Submit it again here", url),
      ];
    case "revision-rejected":
      return [
        text(`${workspace} has rejected the new version of ${ad}. The present one stays on air.`),
        ...noted,
        ...link("You can submit another one here", url),
      ];
  }
}

function saleOf({ ad, tier }: Pick<SaleFacts, "ad" | "tier">): string {
  return ad === null ? tier : `${ad} in ${tier}`;
}

function priceOf({ price }: Pick<SaleFacts, "price">): string {
  return `${formats.money(price.amount, price.currency)} ${everyPeriod(price)}`;
}

function termsOf({ price, trialEnd }: PurchaseFacts): string {
  if (price.amount === 0) return "free";
  const paid = priceOf({ price });
  return trialEnd === null ? paid : `free until ${formats.day(trialEnd)}, then ${paid}`;
}

function countsOf({ totals: { impressions, clicks } }: ReportFacts): string {
  const impressionsSaid = `${formats.count(impressions)} ${impressions === 1 ? "impression" : "impressions"}`;
  return `${impressionsSaid} and ${formats.count(clicks)} ${clicks === 1 ? "click" : "clicks"}`;
}

function figuresOf({ ads, unlisted, totals }: ReportFacts): Figures {
  const row = (name: string, { impressions, clicks }: ReportFacts["totals"]) =>
    [name, formats.count(impressions), formats.count(clicks), formats.share(clicks, impressions)] as const;
  return {
    kind: "figures",
    head: ["Ad", "Impressions", "Clicks", "CTR"],
    rows: ads.map((ad) => row(ad.name, ad)),
    ...(ads.length + unlisted > 1 ? { total: row("All ads", totals) } : {}),
  };
}

function publisherFooter(workspace: string): string {
  return `You get this mail because you are an Owner or Manager of ${workspace} at Placard. An Owner can turn such mails off in its settings.`;
}

function advertiserFooter(workspace: string): string {
  return `You get this mail because you advertise at ${workspace}, which uses Placard.`;
}
