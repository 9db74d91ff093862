import { expect, it } from "vitest";
import { perVerdict, READ_VERDICTS } from "#libs/domain/event.ts";
import { breakTrafficDown, trafficWords } from "./traffic-breakdown.ts";

const date = "2026-11-01T00:00:00.000Z";
const nothing = perVerdict(() => 0);

it("adds up each verdict over the days, impressions apart from clicks", () => {
  const breakdown = breakTrafficDown({
    rows: [
      { date, kind: "impression", verdict: "valid", events: 70 },
      { date: "2026-11-02T00:00:00.000Z", kind: "impression", verdict: "valid", events: 10 },
      { date, kind: "click", verdict: "valid", events: 5 },
      { date, kind: "impression", verdict: "bot", events: 4 },
      { date, kind: "impression", verdict: "duplicate", events: 9 },
      { date, kind: "click", verdict: "duplicate", events: 2 },
    ],
    totals: { ...nothing, valid: 85, bot: 4, duplicate: 11 },
  });

  expect(breakdown.counted).toMatchObject({ impressions: 80, clicks: 5, events: 85, share: 0.85 });
  expect(breakdown.uncounted.slice(0, 2)).toMatchObject([
    { verdict: "duplicate", impressions: 9, clicks: 2, events: 11, share: 0.11 },
    { verdict: "bot", impressions: 4, clicks: 0, events: 4, share: 0.04 },
  ]);
  expect([breakdown.events, breakdown.uncountedEvents, breakdown.uncountedShare]).toEqual([100, 15, 0.15]);
});

it("lists every reason, also those that did not occur, and never divides by zero", () => {
  const breakdown = breakTrafficDown({ rows: [], totals: nothing });

  expect(breakdown).toMatchObject({ events: 0, uncountedShare: 0, counted: { share: 0 } });
  expect(breakdown.uncounted.map(({ verdict, events, share }) => [verdict, events, share])).toEqual(
    READ_VERDICTS.slice(1).map((verdict) => [verdict, 0, 0]),
  );
});

it("gives a reason in words for every verdict", () => {
  const breakdown = breakTrafficDown({
    rows: [],
    totals: perVerdict(() => 1),
  });

  expect(breakdown.uncounted).toHaveLength(READ_VERDICTS.length - 1);
  for (const { title, reason } of breakdown.uncounted) {
    expect(title).toMatch(/^[A-Z][a-z ]+$/);
    expect(reason).toMatch(/^[A-Z].+\.$/);
  }
});

it.each([
  [
    { ...nothing, valid: 1 },
    1,
    "The only event in the last 30 days was counted. Counted events came from 1 daily visitor.",
  ],
  [{ ...nothing, valid: 2 }, 0, "All 2 events in the last 30 days were counted."],
  [
    { ...nothing, valid: 3500, bot: 282 },
    3358,
    "7.46% of events (282 of 3,782) in the last 30 days were filtered out. Counted events came from 3,358 daily visitors.",
  ],
])("sums up %o", (totals, visitors, words) => {
  expect(trafficWords(breakTrafficDown({ rows: [], totals }), visitors, 30)).toBe(words);
});
