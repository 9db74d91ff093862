import { expect, it } from "vitest";
import { NOON, type StatsStoreRig } from "./rig.ts";

const DAY_MS = 86_400_000;

/** Telling where the two tables disagree, and making the counts of a day from the raw events again. */
export function testComparison(rig: StatsStoreRig): void {
  const damage = (query: string) =>
    rig.client.command({ query, clickhouse_settings: { mutations_sync: "2" } });
  const differences = async (from: string, to = from) =>
    (await rig.store.countDifferences({ from, to }, 100)).filter(
      ({ workspaceId }) => workspaceId === rig.workspaceId,
    );

  it("finds no difference where all was stored as it should be, and every one that there is", async () => {
    await rig.insert(
      rig.anEvent(),
      rig.anEvent({ occurredAt: Date.UTC(2026, 4, 11) - 1 }),
      rig.anEvent({ kind: "click", verdict: "bot" }),
      rig.anEvent({ adId: "ad_2", occurredAt: NOON + DAY_MS }),
      rig.anEvent({ adId: "ad_3", occurredAt: NOON + DAY_MS }),
      rig.anEvent({ adId: "ad_4", occurredAt: NOON + DAY_MS }),
    );
    const whole = await differences("2026-05-01", "2026-05-31");
    const of = `workspace_id = '${rig.workspaceId}'`;
    await damage(`ALTER TABLE daily DELETE WHERE ${of} AND kind = 'click'`);
    await damage(`ALTER TABLE events DELETE WHERE ${of} AND ad_id = 'ad_2'`);
    await damage(`ALTER TABLE quarter DELETE WHERE ${of} AND ad_id = 'ad_3'`);
    await damage(`ALTER TABLE wide DELETE WHERE ${of} AND ad_id = 'ad_4'`);

    const damaged = await differences("2026-05-01", "2026-05-31");

    const { workspaceId } = rig;
    expect(whole).toEqual([]);
    expect(damaged).toEqual([
      {
        ...{ workspaceId, adId: "ad_1", day: "2026-05-10", kind: "click", verdict: "bot" },
        ...{ events: 1, daily: 0, quarter: 1, wide: 1 },
      },
      {
        ...{ workspaceId, adId: "ad_2", day: "2026-05-11", kind: "impression", verdict: "valid" },
        ...{ events: 0, daily: 1, quarter: 1, wide: 1 },
      },
      {
        ...{ workspaceId, adId: "ad_3", day: "2026-05-11", kind: "impression", verdict: "valid" },
        ...{ events: 1, daily: 1, quarter: 0, wide: 1 },
      },
      {
        ...{ workspaceId, adId: "ad_4", day: "2026-05-11", kind: "impression", verdict: "valid" },
        ...{ events: 1, daily: 1, quarter: 1, wide: 0 },
      },
    ]);
    expect(await differences("2026-05-11")).toEqual(damaged.slice(1));
    expect(await rig.store.countDifferences({ from: "2026-05-01", to: "2026-05-31" }, 1)).toHaveLength(1);
  });

  it("rebuilds a day's counts and visitors from the raw events, as often as it is asked, and no other day's", async () => {
    const visitor = "a".repeat(16);
    const [day, next] = [Date.UTC(2027, 1, 3), Date.UTC(2027, 1, 4)];
    await rig.insert(
      rig.anEvent({ occurredAt: day, visitor }),
      rig.anEvent({ occurredAt: next - 1, visitor, kind: "click" }),
      rig.anEvent({ occurredAt: next - 1, verdict: "duplicate" }),
      rig.anEvent({ occurredAt: next }),
    );
    const days = { from: "2027-02-03", to: "2027-02-04" };
    const before = await rig.store.trafficOfWorkspace(rig.workspaceId, days);
    for (const table of ["daily", "quarter", "wide"])
      await damage(`ALTER TABLE ${table} DELETE WHERE workspace_id = '${rig.workspaceId}'`);

    for (let time = 1; time <= 2; time += 1) {
      await rig.store.rebuildCounts("2027-02-03");
      const rebuilt = await rig.store.trafficOfWorkspace(rig.workspaceId, days);
      expect(rebuilt, `time ${time}`).toEqual(before.filter((row) => row.day === "2027-02-03"));
    }

    expect(await rig.store.visitorsOfAd(rig.workspaceId, "ad_1", days)).toBe(1);
    expect(await differences("2027-02-03")).toEqual([]);
    expect(await rig.store.totalsOfDay("2027-02-03")).toEqual({ events: 3, daily: 3 });
    expect(await rig.store.totalsOfDay("2027-02-04")).toEqual({ events: 1, daily: 0 });
    await rig.store.rebuildCounts("2027-02-04");
    expect(await rig.store.trafficOfWorkspace(rig.workspaceId, days)).toEqual(before);
  });

  it("makes good what a rebuild that broke off has left, be it nothing or a part", async () => {
    const occurredAt = Date.UTC(2027, 2, 3);
    const events = ["ad_1", "ad_2"].map((adId) => rig.anEvent({ adId, occurredAt }));
    await rig.insert(...events);
    await damage("ALTER TABLE daily DELETE WHERE day = '2027-03-03'");
    await rig.client.command({
      query: `INSERT INTO daily SELECT workspace_id, ad_id, toDate(occurred_at), kind, verdict, count(),
        uniqCombined64State(17)(visitor) FROM events WHERE workspace_id = '${rig.workspaceId}' AND ad_id = 'ad_1'
        GROUP BY ALL`,
    });

    await rig.store.rebuildCounts("2027-03-03");

    expect(await differences("2027-03-03")).toEqual([]);
  });

  it("counts on after a rebuild, and takes no repetition of a range for new", async () => {
    const occurredAt = Date.UTC(2027, 3, 3);
    await rig.insert(rig.anEvent({ occurredAt }));
    await rig.store.rebuildCounts("2027-04-03");

    await rig.insert(rig.anEvent({ occurredAt }));

    expect(await rig.store.totalsOfDay("2027-04-03")).toEqual({ events: 2, daily: 2 });
  });

  it("lists the ads that have counts, a page at a time", async () => {
    const { workspaceId } = rig;
    await rig.insert(
      ...["ad_1", "ad_2", "ad_3"].map((adId) => rig.anEvent({ adId })),
      rig.anEvent({ adId: "ad_3", kind: "click" }),
    );
    const pageAfter = (adId: string) => rig.store.countedAds({ workspaceId, adId }, 2);

    const first = await pageAfter("");
    const second = await pageAfter("ad_2");

    expect(first).toEqual([
      { workspaceId, adId: "ad_1" },
      { workspaceId, adId: "ad_2" },
    ]);
    expect(second[0]).toEqual({ workspaceId, adId: "ad_3" });
    expect((await rig.store.countedAds(null, 1)).length).toBe(1);
  });

  it("says for how many days raw events are kept", async () => {
    expect(await rig.store.eventRetentionDays()).toBe(400);
  });
}
