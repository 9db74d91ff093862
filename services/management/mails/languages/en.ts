import { everyPeriod } from "#libs/domain/period-words.ts";
import { createFormats } from "../formats.ts";
import type {
  Decision,
  DecisionFacts,
  Language,
  PurchaseFacts,
  ReportFacts,
  SaleFacts,
} from "../language.ts";
import { type Block, type Figures, link, quote, text } from "../letter.ts";
import { subject } from "../subject.ts";
import { accountMails } from "./en-account.ts";

const locale = "en";
const formats = createFormats(locale);

export const english: Language = {
  locale,

  ...accountMails,

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
      text(`The payment of ${sale.advertiser} for ${saleOf(sale)} (${priceOf(sale)}) has failed.`),
      text(
        "The ad is off the air until it is paid. We will try the payment again, and have asked the advertiser to update their payment method.",
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
        ? text(`The subscription of ${sale.advertiser} for ${saleOf(sale)} (${priceOf(sale)}) has ended.`)
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
      text(`Thank you. You have bought ${bought.tier} at ${bought.workspace}: ${termsOf(bought)}.`),
      text(
        `Now send your ad. ${bought.workspace} reviews it, and you get the decision by e-mail. The ad goes on air once it is approved.`,
      ),
      ...link("Send your ad", bought.url),
      text(
        "The same page later shows the status of your ad, and lets you change the ad and your subscription.",
      ),
      text("Keep this link to yourself: anybody who has it can do the same."),
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
    preheader: "Your ad is off the air until it is paid.",
    blocks: [
      text(`Hello ${sale.advertiser},`),
      text(
        `Your payment to ${sale.workspace} for ${saleOf(sale)} (${priceOf(sale)}) has failed. Your ad is off the air until it is paid.`,
      ),
      sale.url === null
        ? text("We will try it again. Please check that your card is still valid.")
        : text("We will try it again. You can pay at once, or use another card, here:"),
      ...link("Pay now", sale.url),
    ],
    footer: advertiserFooter(sale.workspace),
  }),

  monthlyReport: (report) => ({
    subject: subject`${formats.month(report.month)}: your ads at ${report.workspace}`,
    preheader: countsOf(report),
    blocks: [
      text(`Hello ${report.advertiser},`),
      text(`In ${formats.month(report.month)} your ads at ${report.workspace} had ${countsOf(report)}.`),
      figuresOf(report),
      ...(report.unlisted === 0
        ? []
        : [text(`${formats.count(report.unlisted)} more ads are in the total and not listed.`)]),
      text("Impressions and clicks of bots, prefetches and duplicates are not counted."),
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
