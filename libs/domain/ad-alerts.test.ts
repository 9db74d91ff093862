import { expect, it } from "vitest";
import { alertsOf } from "./ad-alerts.ts";
import { NO_COUNTS, type ReportCounts } from "./report-dimensions.ts";

/** The alerts about ads of these weights and counts, in their order. */
function alerts(
  ads: readonly (Partial<ReportCounts> & { readonly weight?: number })[],
  invalidPercent = 50,
): readonly (string | null)[] {
  const counted = new Map(ads.map(({ weight: _, ...counts }, n) => [`ad_${n}`, { ...NO_COUNTS, ...counts }]));
  const watched = ads.map(({ weight = 1 }, n) => ({ id: `ad_${n}`, weight }));
  const found = alertsOf(watched, counted, invalidPercent);
  return watched.map(({ id }) => found.get(id) ?? null);
}

it("tells of an ad without views beside one with many", () => {
  expect(alerts([{ impressions: 1_000 }, { clicks: 3 }])).toEqual([null, "unseen"]);
});

it("tells of no ad that should have had under ten views by its weight", () => {
  expect(alerts([{ impressions: 19 }, {}])).toEqual([null, null]);
  expect(alerts([{ impressions: 20 }, {}])).toEqual([null, "unseen"]);
  expect(alerts([{ impressions: 100, weight: 9.5 }, { weight: 0.5 }])).toEqual([null, null]);
});

it("tells of all ads where none has a view", () => {
  expect(alerts([{}, {}, { invalid: 99 }])).toEqual(["unseen", "unseen", "unseen"]);
  expect(alerts([])).toEqual([]);
});

it("tells of an ad whose invalid events reach the percentage, from 100 events on", () => {
  expect(alerts([{ impressions: 40, clicks: 10, invalid: 50 }])).toEqual(["invalid"]);
  expect(alerts([{ impressions: 40, clicks: 11, invalid: 50 }])).toEqual([null]);
  expect(alerts([{ impressions: 40, clicks: 9, invalid: 50 }])).toEqual([null]);
  expect(alerts([{ impressions: 40, invalid: 60 }], 60)).toEqual(["invalid"]);
  expect(alerts([{ invalid: 100 }], 100)).toEqual(["invalid"]);
});
