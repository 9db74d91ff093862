import { expect, it } from "vitest";
import { fillQuarter } from "./fill-quarter.ts";

/** A stats store that lacks counts of the given days. */
function lacking(months: readonly (readonly string[])[], isFillable = true) {
  const rest = months.map((days) => [...days]);
  const filled: string[] = [];
  const stats = {
    daysToFill: async () => rest.find((days) => days.length > 0)?.slice() ?? [],
    fillQuarter: async (day: string) => {
      filled.push(day);
      if (isFillable) for (const days of rest) days.splice(0, days.includes(day) ? 1 : 0);
    },
  };
  return { stats, filled };
}

it("fills all months, the newest day first", async () => {
  const { stats, filled } = lacking([["2026-11-02", "2026-11-01"], ["2026-10-31"]]);

  await fillQuarter({ stats }, new AbortController().signal);

  expect(filled).toEqual(["2026-11-02", "2026-11-01", "2026-10-31"]);
});

it("fails instead of trying for ever where a day stays incomplete", async () => {
  const { stats } = lacking([["2026-11-02"]], false);

  await expect(fillQuarter({ stats }, new AbortController().signal)).rejects.toThrow("2026-11-02");
});

it("ends between two days when it is to stop", async () => {
  const { stats, filled } = lacking([["2026-11-02", "2026-11-01"]]);
  const stopping = new AbortController();
  const fill = stats.fillQuarter;
  stats.fillQuarter = async (day) => {
    stopping.abort();
    await fill(day);
  };

  await fillQuarter({ stats }, stopping.signal);

  expect(filled).toEqual(["2026-11-02"]);
});
