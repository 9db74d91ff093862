import { expect, it } from "vitest";
import { VERDICTS } from "#libs/domain/event.ts";
import { ALL_DAYS, NOON, type StatsStoreRig } from "./rig.ts";

/** What is counted, of which days, ads, visitors and workspaces. */
export function testCounts(rig: StatsStoreRig): void {
  it("counts valid events by UTC day and leaves out days without any", async () => {
    const midnight = Date.UTC(2026, 2, 2);
    await rig.insert(
      rig.anEvent({ occurredAt: midnight - 1 }),
      rig.anEvent({ occurredAt: midnight }),
      rig.anEvent({ occurredAt: midnight, kind: "click" }),
      rig.anEvent({ occurredAt: midnight, verdict: "bot" }),
      rig.anEvent({ occurredAt: midnight + 86_399_999 }),
      rig.anEvent({ occurredAt: midnight + 2 * 86_400_000, adId: "ad_2" }),
    );
    await rig.insert(
      rig.anEvent({ occurredAt: midnight }),
      rig.anEvent({ occurredAt: midnight, workspaceId: "ws_other" }),
    );

    expect(await rig.store.dailyOfAd(rig.workspaceId, "ad_1", ALL_DAYS)).toEqual([
      { day: "2026-03-01", impressions: 1, clicks: 0 },
      { day: "2026-03-02", impressions: 3, clicks: 1 },
    ]);
    expect(
      await rig.store.dailyOfAd(rig.workspaceId, "ad_1", { from: "2026-03-02", to: "2026-03-02" }),
    ).toHaveLength(1);
    expect(
      await rig.store.dailyOfAd(rig.workspaceId, "ad_1", { from: "2026-03-03", to: "2026-03-09" }),
    ).toEqual([]);
    expect(await rig.store.dailyOfWorkspace(rig.workspaceId, ALL_DAYS)).toEqual([
      { day: "2026-03-01", impressions: 1, clicks: 0 },
      { day: "2026-03-02", impressions: 3, clicks: 1 },
      { day: "2026-03-04", impressions: 1, clicks: 0 },
    ]);
  });

  it("counts by ad in a window, and of named ads over all time, within the workspace only", async () => {
    await rig.insert(
      rig.anEvent({ adId: "ad_1" }),
      rig.anEvent({ adId: "ad_1", kind: "click", occurredAt: NOON - 400 * 86_400_000 }),
      rig.anEvent({ adId: "ad_2", kind: "click" }),
      rig.anEvent({ adId: "ad_3", verdict: "duplicate" }),
      rig.anEvent({ adId: "ad_1", workspaceId: "ws_other" }),
    );

    expect(await rig.store.countsByAd(rig.workspaceId, { from: "2026-05-10", to: "2026-05-10" })).toEqual([
      { adId: "ad_1", impressions: 1, clicks: 0 },
      { adId: "ad_2", impressions: 0, clicks: 1 },
    ]);
    expect(await rig.store.countsOfAds(rig.workspaceId, ["ad_1", "ad_1", "ad_3", "ad_unknown"])).toEqual([
      { adId: "ad_1", impressions: 1, clicks: 1 },
    ]);
    expect(await rig.store.countsOfAds(rig.workspaceId, [])).toEqual([]);
    expect(
      await rig.store.countsOfAds(rig.workspaceId, ["ad_1"], { from: "2026-05-10", to: "2026-05-10" }),
    ).toEqual([{ adId: "ad_1", impressions: 1, clicks: 0 }]);
  });

  it("ranks ads by impressions, clicks or their share in a window, at most as many as asked for", async () => {
    const often = (count: number, facts: { adId: string; kind?: "click" }) =>
      Array.from({ length: count }, () => rig.anEvent(facts));
    await rig.insert(
      ...often(4, { adId: "ad_1" }),
      ...often(1, { adId: "ad_1", kind: "click" }),
      ...often(8, { adId: "ad_2" }),
      ...often(2, { adId: "ad_3" }),
      ...often(2, { adId: "ad_3", kind: "click" }),
      rig.anEvent({ adId: "ad_4", occurredAt: NOON - 400 * 86_400_000 }),
      rig.anEvent({ adId: "ad_5", verdict: "bot" }),
      rig.anEvent({ adId: "ad_1", workspaceId: "ws_other" }),
    );
    const days = { from: "2026-05-10", to: "2026-05-10" };
    const ranked = async (by: "impressions" | "clicks" | "ctr", limit = 10) =>
      (await rig.store.topAds(rig.workspaceId, days, by, limit)).map(({ adId }) => adId);

    expect(await ranked("impressions")).toEqual(["ad_2", "ad_1", "ad_3"]);
    expect(await ranked("clicks")).toEqual(["ad_3", "ad_1", "ad_2"]);
    expect(await ranked("ctr")).toEqual(["ad_3", "ad_1", "ad_2"]);
    expect(await rig.store.topAds(rig.workspaceId, days, "impressions", 1)).toEqual([
      { adId: "ad_2", impressions: 8, clicks: 0 },
    ]);
  });

  it("tells traffic by day, kind and verdict", async () => {
    await rig.insert(
      rig.anEvent(),
      rig.anEvent(),
      rig.anEvent({ verdict: "prefetch" }),
      rig.anEvent({ kind: "click", verdict: "not_serving" }),
      rig.anEvent({ kind: "click", verdict: "network" }),
      rig.anEvent({ adId: "ad_2", verdict: "bot" }),
      rig.anEvent({ workspaceId: "ws_other" }),
    );

    expect(await rig.store.trafficOfAd(rig.workspaceId, "ad_1", ALL_DAYS)).toEqual([
      { day: "2026-05-10", kind: "impression", verdict: "valid", events: 2 },
      { day: "2026-05-10", kind: "impression", verdict: "prefetch", events: 1 },
      { day: "2026-05-10", kind: "click", verdict: "not_serving", events: 1 },
      { day: "2026-05-10", kind: "click", verdict: "network", events: 1 },
    ]);
  });

  it("takes every verdict, in both tables", async () => {
    await rig.insert(...VERDICTS.map((verdict) => rig.anEvent({ verdict })));

    const traffic = await rig.store.trafficOfAd(rig.workspaceId, "ad_1", ALL_DAYS);
    expect(traffic.map(({ verdict }) => verdict)).toEqual(VERDICTS);
    expect(await rig.stored()).toEqual({ events: VERDICTS.length, daily: VERDICTS.length });
  });

  it("counts events without a visitor, and counts nobody as their visitor", async () => {
    const unknown = { visitor: "" };
    await rig.insert(
      rig.anEvent(unknown),
      rig.anEvent(unknown),
      rig.anEvent({ ...unknown, kind: "click" }),
      rig.anEvent({ ...unknown, adId: "ad_2" }),
      rig.anEvent({ adId: "ad_2" }),
    );

    const audience = await rig.store.audienceOfWorkspace(rig.workspaceId, ALL_DAYS);
    expect(audience).toEqual({ impressions: 4, clicks: 1, visitors: 1 });
    expect(await rig.store.visitorsOfAd(rig.workspaceId, "ad_1", ALL_DAYS)).toBe(0);
    expect(await rig.store.visitorsOfAd(rig.workspaceId, "ad_2", ALL_DAYS)).toBe(1);
  });

  it("counts a visitor once over ranges, days and kinds, and not at all without a valid event", async () => {
    const visitors = Array.from({ length: 3000 }, (_, n) => n.toString(16).padStart(16, "0"));
    await rig.insert(...visitors.map((visitor) => rig.anEvent({ visitor })));
    await rig.insert(
      ...visitors.map((visitor) => rig.anEvent({ visitor, kind: "click", occurredAt: NOON + 86_400_000 })),
    );
    await rig.insert(
      rig.anEvent({ visitor: "b".repeat(16), verdict: "bot" }),
      rig.anEvent({ workspaceId: "ws_other" }),
    );

    expect(await rig.store.visitorsOfAd(rig.workspaceId, "ad_1", ALL_DAYS)).toBe(3000);
    expect(await rig.store.visitorsOfAd(rig.workspaceId, "ad_unknown", ALL_DAYS)).toBe(0);
  });

  it("counts a workspace's audience: valid events of all its ads, and each visitor of several ads once", async () => {
    const visitor = "a".repeat(16);
    await rig.insert(
      rig.anEvent({ visitor }),
      rig.anEvent({ visitor, adId: "ad_2" }),
      rig.anEvent({ visitor, adId: "ad_2", kind: "click" }),
      rig.anEvent({ visitor: "b".repeat(16), adId: "ad_3", occurredAt: NOON + 86_400_000 }),
      rig.anEvent({ visitor: "c".repeat(16), verdict: "bot" }),
      rig.anEvent({ visitor: "d".repeat(16), occurredAt: NOON + 2 * 86_400_000 }),
      rig.anEvent({ workspaceId: "ws_other" }),
    );

    const audience = await rig.store.audienceOfWorkspace(rig.workspaceId, {
      from: "2026-05-10",
      to: "2026-05-11",
    });

    expect(audience).toEqual({ impressions: 3, clicks: 1, visitors: 2 });
    expect(await rig.store.audienceOfWorkspace("ws_unknown", ALL_DAYS)).toEqual({
      impressions: 0,
      clicks: 0,
      visitors: 0,
    });
  });

  it("sums a workspace's traffic over its ads by day, kind and verdict", async () => {
    await rig.insert(
      rig.anEvent(),
      rig.anEvent({ adId: "ad_2" }),
      rig.anEvent({ adId: "ad_2", verdict: "bot" }),
      rig.anEvent({ kind: "click", occurredAt: NOON + 86_400_000 }),
      rig.anEvent({ workspaceId: "ws_other" }),
    );

    expect(await rig.store.trafficOfWorkspace(rig.workspaceId, ALL_DAYS)).toEqual([
      { day: "2026-05-10", kind: "impression", verdict: "valid", events: 2 },
      { day: "2026-05-10", kind: "impression", verdict: "bot", events: 1 },
      { day: "2026-05-11", kind: "click", verdict: "valid", events: 1 },
    ]);
  });
}
