import { expect, it } from "vitest";
import type { ReportCondition, ReportGroup } from "../index.ts";
import { QUARTER, reportRig } from "./report-rig.ts";
import { NOON, type StatsStoreRig } from "./rig.ts";

/** What is counted by time, by ad, by groups of ads, by verdict and by source. */
export function testReports(rig: StatsStoreRig): void {
  const { anEvent, happened, report } = reportRig(rig);

  it("counts valid impressions and clicks, and everything else as invalid, between two instants", async () => {
    await happened(
      anEvent({ occurredAt: NOON - 1 }),
      anEvent(),
      anEvent({ kind: "click" }),
      anEvent({ verdict: "bot" }),
      anEvent({ verdict: "limited", kind: "click", occurredAt: NOON + 4 * QUARTER - 1 }),
      anEvent({ occurredAt: NOON + 4 * QUARTER }),
      anEvent({ workspaceId: "ws_other" }),
    );

    expect(await report()).toEqual([{ start: 0, keys: [], impressions: 1, clicks: 1, invalid: 2 }]);
    expect(await report({ workspaceId: "ws_unknown" })).toEqual([]);
    expect(await report({ from: NOON + QUARTER, until: NOON + QUARTER })).toEqual([]);
  });

  it("counts by buckets of any length, and leaves out those without events", async () => {
    await happened(
      anEvent(),
      anEvent({ occurredAt: NOON + QUARTER - 1 }),
      anEvent({ occurredAt: NOON + 3 * QUARTER }),
    );

    expect(await report({ starts: [NOON, NOON + QUARTER, NOON + 2 * QUARTER] })).toEqual([
      { start: NOON, keys: [], impressions: 2, clicks: 0, invalid: 0 },
      { start: NOON + 2 * QUARTER, keys: [], impressions: 1, clicks: 0, invalid: 0 },
    ]);
  });

  it("counts by two of ad, verdict, source and groups of ads", async () => {
    const advertisers = {
      groups: ["adv_1", "adv_2"],
      groupOfAd: new Map([
        ["ad_1", "adv_1"],
        ["ad_2", "adv_2"],
        ["ad_3", "adv_2"],
      ]),
    };
    await happened(
      anEvent(),
      anEvent({ adId: "ad_2", source: "server" }),
      anEvent({ adId: "ad_3", verdict: "bot" }),
      anEvent({ adId: "ad_3", kind: "click", source: "server" }),
      anEvent({ adId: "ad_4" }),
    );
    const counted = async (...groupBy: ReportGroup[]) =>
      (await report({ groupBy })).map(({ keys, impressions, clicks, invalid }) => [
        ...keys,
        [impressions, clicks, invalid],
      ]);

    expect(await counted("ad")).toEqual([
      ["ad_1", [1, 0, 0]],
      ["ad_2", [1, 0, 0]],
      ["ad_3", [0, 1, 1]],
      ["ad_4", [1, 0, 0]],
    ]);
    expect(await counted(advertisers, "source")).toEqual([
      ["adv_1", "link", [1, 0, 0]],
      ["adv_2", "link", [0, 0, 1]],
      ["adv_2", "server", [1, 1, 0]],
      [null, "link", [1, 0, 0]],
    ]);
    expect(await counted("verdict", advertisers)).toEqual([
      ["bot", "adv_2", [0, 0, 1]],
      ["valid", "adv_1", [1, 0, 0]],
      ["valid", "adv_2", [1, 1, 0]],
      ["valid", null, [1, 0, 0]],
    ]);
  });

  it("shows the source of earlier releases' events as unknown", async () => {
    await rig.client.insert({
      table: "quarter",
      values: [
        {
          workspace_id: rig.workspaceId,
          ad_id: "ad_1",
          bucket: NOON / 1000,
          kind: "impression",
          verdict: "valid",
          source: "",
          events: 2,
        },
      ],
      format: "JSONEachRow",
    });
    await happened(anEvent({ source: "unknown" }), anEvent());
    const unknown: ReportCondition = { by: "source", is: true, values: ["unknown"] };

    expect(
      (await report({ groupBy: ["source"] })).map(({ keys, impressions }) => [...keys, impressions]),
    ).toEqual([
      ["link", 1],
      ["unknown", 3],
    ]);
    expect(await report({ where: [unknown] })).toMatchObject([{ impressions: 3 }]);
    expect(await report({ where: [{ ...unknown, is: false }] })).toMatchObject([{ impressions: 1 }]);
  });

  it("answers at most as many rows as asked for", async () => {
    await happened(...["ad_1", "ad_2", "ad_3"].map((adId) => anEvent({ adId })));

    expect(await report({ groupBy: ["ad"] }, 2)).toHaveLength(2);
  });

  it("takes groups of 20,000 ads, and a filter with as many", async () => {
    const idOf = (n: number) => `ad_${String(n).padStart(26, "0")}`;
    const ids = Array.from({ length: 20_000 }, (_, n) => idOf(n));
    const advertiserOf = (n: number) => `adv_${n % 7_000}`;
    await happened(
      anEvent({ adId: idOf(6) }),
      anEvent({ adId: idOf(19_999) }),
      anEvent({ adId: "ad_other" }),
    );
    const groups = ids.slice(0, 7_000).map((_, n) => advertiserOf(n));
    const groupOfAd = new Map(ids.map((id, n) => [id, advertiserOf(n)]));

    expect(await report({ groupBy: [{ groups, groupOfAd }] })).toMatchObject([
      { keys: [advertiserOf(19_999)], impressions: 1 },
      { keys: [advertiserOf(6)], impressions: 1 },
      { keys: [null], impressions: 1 },
    ]);
    expect(await report({ where: [{ by: "ad", is: true, values: ids }] })).toMatchObject([
      { impressions: 2 },
    ]);
    expect(await report({ where: [{ by: "ad", is: false, values: ids }] })).toMatchObject([
      { impressions: 1 },
    ]);
    expect(await report({ where: [{ by: "ad", is: true, values: [] }] })).toEqual([]);
    expect(await report({ where: [{ by: "ad", is: false, values: [] }] })).toMatchObject([
      { impressions: 3 },
    ]);
  });

  it("tells when a workspace had its first event, of whatever verdict", async () => {
    const first = (from: number) => rig.store.firstCounted(rig.workspaceId, from, "quarter");
    expect(await first(NOON)).toBeNull();

    await happened(anEvent(), anEvent({ verdict: "bot", occurredAt: NOON - QUARTER + 1 }));

    expect(await first(NOON - 9 * QUARTER)).toBe(NOON - QUARTER);
    expect(await first(NOON - QUARTER)).toBe(NOON - QUARTER);
    expect(await first(NOON)).toBe(NOON - QUARTER);
    expect(await first(NOON + QUARTER)).toBeLessThan(NOON + QUARTER);
  });
}
