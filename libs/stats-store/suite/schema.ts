import { createClient } from "@clickhouse/client";
import { expect, it } from "vitest";
import { VERDICTS } from "#libs/domain/event.ts";
import { createStatsStore } from "../index.ts";
import { readMigrations } from "../migrate.ts";
import { ALL_DAYS, rowsOf, type StatsStoreRig } from "./rig.ts";

const SYNCED =
  "fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, " +
  "min_compressed_bytes_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1, old_parts_lifetime = 480";

/** The settings of each table with parts, as ClickHouse has them. */
async function settingsOf(rig: StatsStoreRig, database: string): Promise<Record<string, string>> {
  const result = await rig.client.query({
    query: `SELECT name, replaceRegexpOne(create_table_query, '^.* SETTINGS ', ' ') AS settings FROM system.tables
      WHERE database = {database:String} AND engine LIKE '%MergeTree' ORDER BY name`,
    query_params: { database },
    format: "JSONEachRow",
  });
  const tables = await result.json<{ name: string; settings: string }>();
  return Object.fromEntries(tables.map(({ name, settings }) => [name, settings]));
}

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

  it("upgrades tables of the first release, keeps what they count, and takes later verdicts", async () => {
    const { upgraded } = rig;
    const release = {
      eventRetentionDays: 400,
      splitRetentionDays: 760,
      deduplicationWindow: 10_000,
      replicated: false,
      cluster: null,
    };
    await rig.client.command({ query: `CREATE DATABASE ${upgraded}` });
    const old = createClient({ ...rig.clickHouse, database: upgraded });
    for (const { statement } of (await readMigrations(release)).slice(0, 4))
      await old.command({ query: statement });
    const store = createStatsStore({ ...rig.clickHouse, database: upgraded });
    const before = rig.anEvent();
    const { id, workspaceId, adId, kind, verdict, visitor, occurredAt } = before;
    await old.insert({
      table: "events",
      values: [[id, workspaceId, adId, kind, verdict, visitor, occurredAt]],
      format: "JSONCompactEachRow",
    });

    await store.migrate();
    for (const month of await store.monthsToFill())
      for (const day of await store.daysToFill(month)) await store.fillCounts(day);
    const after = VERDICTS.map((verdict) => rig.anEvent({ verdict }));
    await store.insertRange({ token: "after", rows: rowsOf(after) });

    const traffic = await store.trafficOfAd(rig.workspaceId, "ad_1", ALL_DAYS);
    expect(traffic.map(({ verdict, events }) => [verdict, events])).toEqual(
      VERDICTS.map((verdict) => [verdict, verdict === "valid" ? 2 : 1]),
    );
    expect(await store.visitorsOfAd(rig.workspaceId, "ad_1", ALL_DAYS)).toBe(2);
    expect(await store.countedVisits([{ ...before, id: "evt_later" }], 10_000)).toHaveLength(1);
    expect(await store.countDifferences({ from: "2026-05-01", to: "2026-05-31" }, 1)).toEqual([]);
    expect(await store.isMigrated()).toBe(true);
    await Promise.all([store.close(), old.close()]);
  });

  it("applies a changed retention to the tables that are there", async () => {
    const shorter = createStatsStore({
      ...rig.clickHouse,
      database: rig.raced,
      eventRetentionDays: 90,
      splitRetentionDays: 800,
    });

    await shorter.migrate();

    const result = await rig.client.query({
      query: `SELECT create_table_query AS made FROM system.tables WHERE database = '${rig.raced}' AND name IN ('events', 'wide')
        ORDER BY name`,
      format: "JSONEachRow",
    });
    expect(await result.json()).toEqual([
      { made: expect.stringContaining("toIntervalDay(90)") },
      { made: expect.stringContaining("toIntervalDay(800)") },
    ]);
    await shorter.close();
  });

  it("syncs inserted, merged and fetched parts of every table, and keeps what a merge replaces", async () => {
    expect(await settingsOf(rig, rig.database)).toEqual({
      daily: expect.stringContaining(SYNCED),
      events: expect.stringContaining(SYNCED),
      installation: expect.stringContaining(SYNCED),
      quarter: expect.stringContaining(SYNCED),
      schema_migrations: expect.stringContaining(SYNCED),
      wide: expect.stringContaining(SYNCED),
    });
  });

  it("lets tables that an earlier version made survive a power failure too", async () => {
    const later = createStatsStore({ ...rig.clickHouse, database: rig.raced, deduplicationWindow: 1000 });
    const names = SYNCED.replaceAll(/ = \d+/g, "");
    for (const table of ["events", "daily", "quarter", "wide", "schema_migrations"])
      await rig.client.command({ query: `ALTER TABLE ${rig.raced}.${table} RESET SETTING ${names}` });

    await later.migrate();

    const settings = await settingsOf(rig, rig.raced);
    expect(Object.keys(settings)).toEqual([
      "daily",
      "events",
      "installation",
      "quarter",
      "schema_migrations",
      "wide",
    ]);
    for (const each of SYNCED.split(", "))
      for (const table of Object.values(settings)) expect(table).toContain(each);
    expect(settings.events).toContain(" non_replicated_deduplication_window = 1000,");
    for (const table of [settings.events, settings.daily, settings.quarter, settings.wide])
      expect(table).toContain("remove_empty_parts = 0");
    await later.close();
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
