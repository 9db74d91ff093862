import { expect, it } from "vitest";
import { ALL_DAYS, NOON, type StatsStoreRig } from "./rig.ts";

const A_DAY = 86_400_000;

/** What is read where days of an ad are corrected. */
export function testCorrections(rig: StatsStoreRig): void {
  /** An ad with a corrected day of a valid view, a valid click and a bot, a day later with a view, and another ad. */
  async function corrected() {
    await rig.insert(
      rig.anEvent({ visitor: "a".repeat(16) }),
      rig.anEvent({ kind: "click", visitor: "b".repeat(16) }),
      rig.anEvent({ verdict: "bot" }),
      rig.anEvent({ occurredAt: NOON + A_DAY, visitor: "c".repeat(16) }),
      rig.anEvent({ adId: "ad_2", visitor: "d".repeat(16) }),
    );
    return [{ adId: "ad_1", from: "2026-05-09", to: "2026-05-10" }];
  }

  it("leaves the valid events of corrected days out of every count, and of no other ad and day", async () => {
    const corrections = await corrected();
    const { store, workspaceId } = rig;
    const one = { impressions: 1, clicks: 0 };

    expect(await store.dailyOfAd(workspaceId, "ad_1", ALL_DAYS, corrections)).toEqual([
      { day: "2026-05-11", ...one },
    ]);
    expect(await store.dailyOfWorkspace(workspaceId, ALL_DAYS, corrections)).toEqual([
      { day: "2026-05-10", ...one },
      { day: "2026-05-11", ...one },
    ]);
    const byAd = [
      { adId: "ad_1", ...one },
      { adId: "ad_2", ...one },
    ];
    expect(await store.countsByAd(workspaceId, ALL_DAYS, corrections)).toEqual(byAd);
    expect(await store.countsOfAds(workspaceId, ["ad_1", "ad_2"], undefined, corrections)).toEqual(byAd);
    expect(await store.topAds(workspaceId, ALL_DAYS, "impressions", 5, corrections)).toEqual(byAd);
    expect(await store.audienceOfWorkspace(workspaceId, ALL_DAYS, corrections)).toEqual({
      impressions: 2,
      clicks: 0,
      visitors: 2,
    });
    expect(await store.visitorsOfAd(workspaceId, "ad_1", ALL_DAYS, corrections)).toBe(1);
  });

  it("reads them as corrected in the traffic, in the order of verdicts", async () => {
    const corrections = await corrected();

    const traffic = await rig.store.trafficOfAd(rig.workspaceId, "ad_1", ALL_DAYS, corrections);
    const ofAll = await rig.store.trafficOfWorkspace(rig.workspaceId, ALL_DAYS, corrections);

    const shown = traffic.map(({ day, kind, verdict, events }) => [day, kind, verdict, events]);
    expect(shown).toEqual([
      ["2026-05-10", "impression", "bot", 1],
      ["2026-05-10", "impression", "corrected", 1],
      ["2026-05-10", "click", "corrected", 1],
      ["2026-05-11", "impression", "valid", 1],
    ]);
    expect(ofAll.filter(({ verdict }) => verdict === "valid")).toHaveLength(2);
  });

  it("reads them as corrected in reports, also where they are filtered", async () => {
    const corrections = await corrected();
    const request = {
      workspaceId: rig.workspaceId,
      from: NOON - A_DAY,
      until: NOON + 2 * A_DAY,
      groupBy: ["verdict"],
      where: [{ by: "ad", is: true, values: ["ad_1"] }],
      corrections,
    } as const;

    const counts = await rig.store.reportCounts(request, 10);
    const filtered = await rig.store.reportCounts(
      { ...request, groupBy: ["device"], where: [{ by: "verdict", is: true, values: ["corrected"] }] },
      10,
    );

    const byVerdict = new Map(counts.map(({ keys, ...count }) => [keys[0], count]));
    expect(Object.fromEntries(byVerdict)).toEqual({
      valid: { start: 0, impressions: 1, clicks: 0, invalid: 0 },
      bot: { start: 0, impressions: 0, clicks: 0, invalid: 1 },
      corrected: { start: 0, impressions: 0, clicks: 0, invalid: 2 },
    });
    expect(filtered.map(({ invalid }) => invalid)).toEqual([2]);
  });

  it("finds the ads with visitors who clicked often in a day", async () => {
    const clicks = (count: number, facts: Parameters<typeof rig.anEvent>[0]) =>
      Array.from({ length: count }, () => rig.anEvent({ kind: "click", ...facts }));
    await rig.insert(
      ...clicks(3, { visitor: "a".repeat(16) }),
      ...clicks(4, { visitor: "b".repeat(16) }),
      ...clicks(2, { visitor: "c".repeat(16) }),
      ...clicks(5, { adId: "ad_2", visitor: "" }),
      ...clicks(5, { adId: "ad_2", visitor: "d".repeat(16), verdict: "bot" }),
      ...clicks(2, { adId: "ad_2", visitor: "e".repeat(16) }),
      ...clicks(1, { adId: "ad_2", visitor: "e".repeat(16), occurredAt: NOON + A_DAY }),
    );

    const found = await rig.store.busyAds("2026-05-10", 3, 1_000);

    expect(found.filter(({ workspaceId }) => workspaceId === rig.workspaceId)).toEqual([
      { workspaceId: rig.workspaceId, adId: "ad_1", visitors: 2, clicks: 7 },
    ]);
  });
}
