import { expect, it } from "vitest";
import { fillCounts } from "./fill-counts.ts";

/** A stats store that lacks counts of the given days. */
function lacking(months: Readonly<Record<string, readonly string[]>>, fillable: (day: string) => boolean) {
  const rest = new Map(Object.entries(months).map(([month, days]) => [month, [...days]]));
  const filled: string[] = [];
  const stats = {
    monthsToFill: async (from = "") =>
      [...rest.keys()]
        .filter((month) => month >= from.replaceAll("-", "").slice(0, 6))
        .sort()
        .reverse(),
    daysToFill: async (month: string) => [...(rest.get(month) ?? [])],
    fillCounts: async (day: string) => {
      filled.push(day);
      for (const [month, days] of rest)
        if (fillable(day))
          rest.set(
            month,
            days.filter((other) => other !== day),
          );
    },
  };
  return { stats, filled };
}

const now = () => Date.parse("2026-11-03T00:00:00Z");
const MONTHS = { 202610: ["2026-10-31"], 202611: ["2026-11-02", "2026-11-01"] };

it("fills all months, the newest day first", async () => {
  const { stats, filled } = lacking(MONTHS, () => true);

  await fillCounts({ stats, now }, { isWhole: true }, new AbortController().signal);

  expect(filled).toEqual(["2026-11-02", "2026-11-01", "2026-10-31"]);
});

it("fills only months with recent events if that is enough", async () => {
  const { stats, filled } = lacking(MONTHS, () => true);

  await fillCounts({ stats, now }, {}, new AbortController().signal);

  expect(filled).toEqual(["2026-11-02", "2026-11-01"]);
});

it("names a day that stays incomplete, once the others are filled", async () => {
  const { stats, filled } = lacking(MONTHS, (day) => day !== "2026-11-02");

  await expect(fillCounts({ stats, now }, { isWhole: true }, new AbortController().signal)).rejects.toThrow(
    "incomplete: 2026-11-02.",
  );

  expect(filled).toEqual(["2026-11-02", "2026-11-01", "2026-10-31"]);
});

it("ends between two days when it is to stop", async () => {
  const { stats, filled } = lacking(MONTHS, () => true);
  const stopping = new AbortController();
  const fill = stats.fillCounts;
  stats.fillCounts = async (day) => {
    stopping.abort();
    await fill(day);
  };

  await fillCounts({ stats, now }, { isWhole: true }, stopping.signal);

  expect(filled).toEqual(["2026-11-02"]);
});
