import { expect, it } from "vitest";
import { languageFor } from "../language.ts";
import { renderText } from "../render-text.ts";
import { english } from "./en.ts";

const sale = {
  workspace: "Example Weekly",
  advertiser: "Example Coffee",
  ad: "Fresh beans",
  tier: "Gold",
  price: { amount: 4900, currency: "jpy", interval: "Month", intervalCount: 3 },
  url: "https://ads.example/x",
} as const;

it("is taken where a locale is not known, and for its regions", () => {
  for (const locale of [undefined, "en", "en-GB", "tlh"]) expect(languageFor(locale)).toBe(english);
});

it("tells what is paid for and how often, in the currency's own units", () => {
  expect(renderText(english.paymentFailed(sale))).toContain(
    "Your payment to Example Weekly for Fresh beans in Gold (¥4,900 every 3 months) has failed.",
  );
});

it("thanks for a purchase with its terms: what is paid, from when on, or nothing", () => {
  const trialEnd = new Date("2026-12-01T00:00:00Z");
  const price = { ...sale.price, amount: 0 };

  const begins = (facts: Parameters<typeof english.purchase>[0]) =>
    renderText(english.purchase(facts))
      .split("\n")
      .find((line) => line.startsWith("Thank you"));

  expect(begins({ ...sale, trialEnd: null })).toBe(
    "Thank you. You have bought Gold at Example Weekly: ¥4,900 every 3 months.",
  );
  expect(begins({ ...sale, trialEnd })).toContain(
    ": free until December 1, 2026, then ¥4,900 every 3 months.",
  );
  expect(begins({ ...sale, price, trialEnd: null })).toContain(": free.");
});

it("says of a rejected ad whether money goes back: what is paid stays paid, nothing more is charged", () => {
  const facts = { ...sale, decision: "ad-rejected", note: "No coffee here." } as const;

  const paid = renderText(english.decision({ ...facts, isPaid: true }));
  const free = renderText(english.decision({ ...facts, isPaid: false }));

  expect(paid).toContain("ended its subscription:\n\n  No coffee here.\n");
  expect(paid).toContain("Nothing more will be charged. What you have paid is not returned by the rejection");
  expect(free).toContain("Nothing will be charged.");
  expect(free).not.toContain("What you have paid");
});

it("tells of a planned end by its day, and of an end that has come", () => {
  const planned = { ...sale, endsAt: new Date("2026-12-01T00:00:00Z"), comment: "Too dear" };

  expect(renderText(english.subscriptionCanceled(planned))).toContain(
    "stays on air until December 1, 2026, then the subscription ends.\n\nThe reason given:\n\n  Too dear",
  );
  expect(renderText(english.subscriptionCanceled({ ...sale, endsAt: null, comment: null }))).toContain(
    "has ended.",
  );
});

it("reports each ad with its share of clicks, and a total where there is more than one", () => {
  const report = {
    ...sale,
    month: "2026-10",
    unlisted: 0,
    unsubscribeUrl: "https://ads.example/u",
    totals: { impressions: 1, clicks: 1 },
    ads: [{ name: "Fresh beans", impressions: 1, clicks: 1 }],
  };
  const two = {
    ...report,
    totals: { impressions: 2001, clicks: 7 },
    ads: [...report.ads, { name: "Filters", impressions: 2000, clicks: 6 }],
  };

  expect(renderText(english.monthlyReport(report))).toContain("1 impression and 1 click.");
  expect(renderText(english.monthlyReport(report))).not.toContain("All ads");
  expect(renderText(english.monthlyReport(two))).toContain(
    "Fresh beans\n  Impressions 1, Clicks 1, CTR 100%\nFilters\n  Impressions 2,000, Clicks 6, CTR 0.3%\nAll ads\n  Impressions 2,001, Clicks 7, CTR 0.35%",
  );
});
