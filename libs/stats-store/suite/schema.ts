import { expect, it } from "vitest";
import { createStatsStore } from "../index.ts";
import { ALL_DAYS, rowsOf, type StatsStoreRig } from "./rig.ts";

/** How the schema comes to be, and what is said while it is not there. */
export function testSchema(rig: StatsStoreRig): void {
  it("can be migrated again, and by several processes at once", async () => {
    const others = [1, 2, 3].map(() => createStatsStore({ ...rig.clickHouse, database: rig.raced }));
    await expect(others[0]?.isMigrated()).rejects.toMatchObject({ name: "StatsStoreError" });

    await Promise.all(others.map((other) => other.migrate()));
    expect(await others[0]?.isMigrated()).toBe(true);
    await Promise.all(others.map((other) => other.migrate()));
    await others[0]?.insertRange({ token: "raced", rows: rowsOf([rig.anEvent()]) });

    expect(await others[1]?.dailyOfAd(rig.workspaceId, "ad_1", ALL_DAYS)).toHaveLength(1);
    await Promise.all(others.map((other) => other.close()));
  });

  it("applies a changed retention of raw events to the table that is there", async () => {
    const shorter = createStatsStore({ ...rig.clickHouse, database: rig.raced, eventRetentionDays: 90 });

    await shorter.migrate();

    const result = await rig.client.query({
      query: `SELECT create_table_query AS made FROM system.tables WHERE database = '${rig.raced}' AND name = 'events'`,
      format: "JSONEachRow",
    });
    expect(await result.json()).toEqual([{ made: expect.stringContaining("toIntervalDay(90)") }]);
    await shorter.close();
  });

  it("says UNAVAILABLE where nothing listens, where the password is wrong and before the schema is there", async () => {
    const nowhere = createStatsStore({
      ...rig.clickHouse,
      url: "http://127.0.0.1:1",
      database: rig.database,
    });
    const stranger = createStatsStore({ ...rig.clickHouse, password: "guess", database: rig.database });
    const empty = createStatsStore({ ...rig.clickHouse, database: `${rig.database}_empty` });
    const range = { token: rig.newToken(), rows: rowsOf([rig.anEvent()]) };

    for (const other of [nowhere, stranger, empty]) {
      await expect(other.insertRange(range)).rejects.toMatchObject({ code: "UNAVAILABLE", canRetry: true });
      await expect(other.dailyOfAd("ws", "ad", ALL_DAYS)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await other.close();
    }
    expect(await nowhere.ping()).toBe(false);
    expect(await stranger.ping()).toBe(false);
    expect(await rig.store.ping()).toBe(true);
  });
}
