import { expect, it } from "vitest";
import { keptDays, lastDays, parseRepair, parseVerify, UsageError } from "./days.ts";
import { repair } from "./repair.ts";

const NOW = Date.UTC(2026, 10, 22, 15);

/** A store with these totals on every day, and the days that were rebuilt. */
function aStore(totals: { events: number; daily: number }, differs = false) {
  const rebuilt: string[] = [];
  const difference = {
    workspaceId: "ws_1",
    adId: "ad_1",
    kind: "click",
    verdict: "valid",
    ...totals,
    quarter: totals.daily,
    wide: totals.daily,
  } as const;
  return {
    rebuilt,
    totalsOfDay: async () => totals,
    rebuildCounts: async (day: string) => {
      rebuilt.push(day);
    },
    countDifferences: async ({ from }: { from: string }) => (differs ? [{ ...difference, day: from }] : []),
  };
}

async function repaired(store: ReturnType<typeof aStore>, ...typed: string[]) {
  const said: string[] = [];
  const isRight = await repair(store, 400, parseRepair(typed), NOW, (line) => said.push(line));
  return { isRight, rebuilt: store.rebuilt, said: said.join("\n") };
}

it("rebuilds each day once, in their order", async () => {
  const store = aStore({ events: 12, daily: 10 });

  const done = await repaired(store, "--days", "2026-11-20..2026-11-22,2026-11-18,2026-11-20");

  expect(done).toMatchObject({
    isRight: true,
    rebuilt: ["2026-11-18", "2026-11-20", "2026-11-21", "2026-11-22"],
  });
  expect(done.said).toContain("2026-11-18: made from 12 raw events; daily had 10.");
});

it("refuses days whose raw events are gone, or fewer than were counted, and then changes nothing", async () => {
  const old = await repaired(aStore({ events: 9, daily: 9 }), "--days", "2026-11-20,2025-10-18");
  const fewer = await repaired(aStore({ events: 9, daily: 10 }), "--days", "2026-11-20");
  const forced = await repaired(aStore({ events: 9, daily: 10 }), "--days", "2025-10-18", "--force");

  expect(old).toMatchObject({ isRight: false, rebuilt: [] });
  expect(old.said).toContain("2025-10-18: raw events are kept since 2025-10-19 alone.");
  expect(fewer).toMatchObject({ isRight: false, rebuilt: [] });
  expect(fewer.said).toContain("2026-11-20: events has 9 rows, and daily counts 10.");
  expect(forced).toMatchObject({ isRight: true, rebuilt: ["2025-10-18"] });
});

it("says when events were inserted meanwhile", async () => {
  const done = await repaired(aStore({ events: 12, daily: 10 }, true), "--days", "2026-11-20");

  expect(done.isRight).toBe(false);
  expect(done.said).toContain("stop ingestion and repair the day again");
});

it.each([
  "",
  "2026-02-30",
  "2026-11-2",
  "2026-11-22..2026-11-20",
  "1900-01-01..2026-11-20",
  "yesterday",
  "a..b..c",
])("takes no days such as %j", (days) => {
  expect(() => parseRepair(["--days", days])).toThrow(UsageError);
});

it("takes a number of days to verify, or none for all", () => {
  expect(parseVerify([])).toEqual({ days: null, judgements: null });
  expect(parseVerify(["--days", "7"])).toEqual({ days: 7, judgements: null });
  expect(parseVerify(["--judgements", "2026-11-20"])).toEqual({ days: null, judgements: "2026-11-20" });
  for (const typed of [["--days", "0"], ["--days", "-1"], ["--days", "x"], ["7"], ["--every"]]) {
    expect(() => parseVerify(typed), typed.join(" ")).toThrow(UsageError);
  }
  expect(lastDays(2, NOW)).toEqual({ from: "2026-11-21", to: "2026-11-22" });
  expect(keptDays(400, NOW)).toEqual({ from: "2025-10-19", to: "2026-11-23" });
  expect(keptDays(100_000, NOW).from).toBe("2020-01-01");
});
