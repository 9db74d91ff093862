import { expect, it } from "vitest";
import { PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { createStatsStore } from "../index.ts";
import { openNarrowProxy } from "../tests/narrow-proxy.ts";
import { ALL_DAYS, NOON, type StatsStoreRig } from "./rig.ts";

/** How values that a caller gives get into a query. */
export function testValues(rig: StatsStoreRig): void {
  it("finds named ads among thousands of names", async () => {
    await rig.insert(rig.anEvent({ adId: "ad_0" }), rig.anEvent({ adId: "ad_2500" }));
    const names = Array.from({ length: 2600 }, (_, n) => `ad_${n}`);

    const counts = await rig.store.countsOfAds(rig.workspaceId, names);

    expect(counts.map((count) => count.adId)).toEqual(["ad_0", "ad_2500"]);
  });

  it.each([
    "'; DROP TABLE events; --",
    "\\",
    "\\'",
    "\\N",
    "a\tb\nc\rd\u0000e\bf\f",
    "{x:String}",
    "[','] ]",
    "日本語 🎈 %27 %00 &query=SELECT",
    "",
  ])("takes %j for a value and nothing else", async (hostile) => {
    const row = [rig.newToken(), hostile, hostile, "click", "valid", "0000000000000000", NOON, "page"].concat(
      PLACE_COLUMNS.map(() => hostile),
    );
    await rig.store.insertRange({ token: rig.newToken(), rows: [Buffer.from(`${JSON.stringify(row)}\n`)] });

    expect(await rig.store.dailyOfAd(hostile, hostile, ALL_DAYS)).toEqual([
      { day: "2026-05-10", impressions: 0, clicks: 1 },
    ]);
    expect(await rig.store.countsOfAds(hostile, ["x", hostile, "y"])).toEqual([
      { adId: hostile, impressions: 0, clicks: 1 },
    ]);
    expect(await rig.store.dailyOfAd(hostile, `${hostile}x`, ALL_DAYS)).toEqual([]);
  });

  it("asks after many events and ads through a proxy that takes no long address", async () => {
    const { url, username, password } = rig.clickHouse;
    const proxy = await openNarrowProxy(url);
    const store = createStatsStore({ url: proxy.url, username, password, database: rig.database });
    const events = Array.from({ length: 1200 }, (_, n) =>
      rig.anEvent({
        id: newId("event"),
        adId: newId("ad"),
        workspaceId: newId("workspace"),
        occurredAt: NOON + n,
      }),
    );
    const ads = events.map(({ adId }) => adId);
    await rig.insert(...events, rig.anEvent({ adId: ads[1199] ?? "" }));

    const stored = await store.storedIds([...events, rig.anEvent()]);
    const counts = await store.countsOfAds(rig.workspaceId, ads);
    await store.close();
    await proxy.close();

    expect(stored).toEqual(new Set(events.map(({ id }) => id)));
    expect(counts).toEqual([{ adId: ads[1199], impressions: 1, clicks: 0 }]);
  });
}
