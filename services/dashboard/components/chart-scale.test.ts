import { expect, it } from "vitest";
import { chartPoints, roundTicks } from "./chart-scale.ts";

function days(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    date: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
    impressions: n,
    clicks: 1,
  }));
}

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [9, [0, 2, 4, 6, 8, 10]],
  [1950, [0, 500, 1000, 1500, 2000]],
  [2600, [0, 1000, 2000, 3000]],
  [120_001, [0, 50_000, 100_000, 150_000]],
])("has round and even ticks up to %d", (most, ticks) => {
  expect(roundTicks(most)).toEqual(ticks);
});

it("has a point per day, of which the last is not over", () => {
  const points = chartPoints(days(30));

  expect(points).toHaveLength(30);
  expect(points.filter(({ isUnfinished }) => isUnfinished).map(({ date }) => date)).toEqual([
    "2026-01-30T00:00:00.000Z",
  ]);
});

it("has a point per whole week in a chart of a year, named by its first day", () => {
  const points = chartPoints(days(365));

  expect(points).toHaveLength(52);
  expect(points[0]).toEqual({
    date: "2026-01-02T00:00:00.000Z",
    impressions: 1 + 2 + 3 + 4 + 5 + 6 + 7,
    clicks: 7,
    days: 7,
    isUnfinished: false,
  });
  expect(points.at(-1)?.isUnfinished).toBe(true);
});
