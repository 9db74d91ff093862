import { expect, it } from "vitest";
import { createTestStatsStore } from "#libs/stats-store/testing.ts";
import { compareJudgements } from "../../verification/compare-judgements.ts";
import { collect } from "../../verification/difference.ts";
import { writeHistory } from "./history.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-24T15:00:00Z");
const DAYS = 20;

const stats = await createTestStatsStore();

it("invents duplicates of events that count, and no visitor who counts twice within the window", async () => {
  // A hundred times the traffic of the demo, so that visitors do come back within seconds.
  const ads = ["ad_1", "ad_2"].map((adId, of) => ({
    workspaceId: "ws_1",
    adId,
    perDay: 5_000,
    since: NOW - (DAYS - of) * DAY_MS,
  }));

  await writeHistory(stats, ads, NOW);

  for (let day = 0; day <= DAYS; day += 1) {
    const date = new Date(NOW - day * DAY_MS).toISOString().slice(0, 10);
    expect(await collect(compareJudgements(stats, date))).toEqual([]);
  }
});
