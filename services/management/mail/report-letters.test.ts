import { expect, it } from "vitest";
import { CHART_ID } from "./letter.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import { advertiserReport, memberReport } from "./report-letters.ts";

const one = { name: "Fresh beans", impressions: 1, clicks: 1 };
const report = {
  workspace: "Example Weekly",
  period: { kind: "week", name: "2026-10-19", from: "2026-10-19", to: "2026-10-25" },
  timeZone: "Asia/Kathmandu",
  counts: one,
  before: null,
  days: [
    { date: "2026-10-24", count: 1, clicks: 1, before: null },
    { date: "2026-10-25", count: 0, clicks: 0, before: null },
  ],
  ads: [one],
  unlisted: 0,
  splits: [],
  url: null,
  unsubscribeUrl: "https://ads.example/x",
} as const;
const ofAdvertiser = { ...report, advertiser: "Example Coffee" };

it("compares with the days before, and says nothing of a change that cannot be known", () => {
  const counts = { impressions: 1_250, clicks: 6 };
  const first = renderText(advertiserReport({ ...ofAdvertiser, counts }));
  const later = renderText(
    advertiserReport({ ...ofAdvertiser, counts, before: { impressions: 1_000, clicks: 6 } }),
  );
  const fromNothing = renderText(
    advertiserReport({ ...ofAdvertiser, counts, before: { impressions: 0, clicks: 0 } }),
  );

  expect(first).toContain("Impressions\n  Week 1,250, 2 days before –, Change –");
  expect(later).toContain("Impressions\n  Week 1,250, 2 days before 1,000, Change +25%");
  expect(later).toContain("Clicks\n  Week 6, 2 days before 6, Change 0%");
  expect(later).toContain("CTR\n  Week 0.48%, 2 days before 0.60%, Change -20%");
  expect(fromNothing).toContain("Impressions\n  Week 1,250, 2 days before 0, Change –");
});

it("shows the days as a picture that comes with the email, and as numbers in plain text", () => {
  const letter = memberReport({ ...report, member: "Ada" });

  expect(renderHtml(letter, "Placard")).toContain(
    `<img src="cid:${CHART_ID}" width="504" alt="Impressions per day in the week of October 19, 2026, 1 in all."`,
  );
  expect(renderHtml(letter, "Placard")).toContain("Impressions per day. Highest: 1.</p>");
  expect(renderText(letter)).toContain(
    "Impressions per day.\n  Oct 24: 1 impression and 1 click\n  Oct 25: 0 impressions and 0 clicks",
  );
});

it("sums the ads of an advertiser up where there are several, and explains a missing click rate once", () => {
  const counts = { impressions: 2001, clicks: 7 };
  const two = { ...ofAdvertiser, counts, ads: [one, { name: "Filters", impressions: 2000, clicks: 6 }] };

  expect(renderText(advertiserReport(ofAdvertiser))).toContain("1 impression and 1 click.");
  expect(renderText(advertiserReport(ofAdvertiser))).not.toContain("All ads");
  expect(renderText(advertiserReport(ofAdvertiser))).not.toContain("100.00%");
  expect(renderText(advertiserReport(two)).match(/CTR: from 100 impressions on\./g)).toHaveLength(1);
  expect(renderText(advertiserReport(two))).toContain(
    "Fresh beans\n  Impressions 1, Clicks 1, CTR –\nFilters\n  Impressions 2,000, Clicks 6, CTR 0.30%\nAll ads\n  Impressions 2,001, Clicks 7, CTR 0.35%",
  );
});

it("shows counts of a split that point at few people as the page does", () => {
  const splits = [{ title: "Country", values: [{ name: "Norway", impressions: 5_000, clicks: "<5" }] }];

  expect(renderText(advertiserReport({ ...ofAdvertiser, splits }))).toContain(
    "By country:\n\nNorway\n  Impressions 5,000, Clicks <5, CTR –",
  );
});
