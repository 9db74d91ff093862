import { createClient } from "@clickhouse/client";
import { expect, it, onTestFinished } from "vitest";
import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import { NO_PLACE, PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import { createStatsStore } from "../index.ts";
import type { StatsStoreRig } from "./rig.ts";

const NEW_YEAR = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;

/** The counts of quarter hours and places, and how they come to have what an earlier release has stored. */
export function testQuarter(rig: StatsStoreRig): void {
  /** As a release without sources inserts. */
  const insertAsBefore = (...events: TrackedEvent[]) =>
    rig.client.insert({
      table: "events (event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at)",
      values: events.map((event) => JSON.parse(encodeEventRow(event)).slice(0, 7)),
      format: "JSONCompactEachRow",
    });
  /** As a release without places inserts. */
  const insertWithoutPlace = (...events: TrackedEvent[]) =>
    rig.client.insert({
      table: "events (event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at, source)",
      values: events.map((event) => JSON.parse(encodeEventRow(event)).slice(0, 8)),
      format: "JSONCompactEachRow",
    });
  const counts = async (table = "quarter") => {
    const result = await rig.client.query({
      query: `SELECT toString(bucket) AS bucket, source, toUInt32(sum(${table}.events)) AS events FROM ${table}
        WHERE workspace_id = {w:String} GROUP BY ALL ORDER BY ALL`,
      query_params: { w: rig.workspaceId },
      format: "JSONEachRow",
    });
    return await result.json<object>();
  };
  const atMinute = (minute: number, changes: Partial<TrackedEvent> = {}) =>
    rig.anEvent({ occurredAt: NEW_YEAR + minute * MINUTE_MS, ...changes });

  it("counts events by everything that is known of their place", async () => {
    const place = {
      placement: 'side \u{1f600}"]',
      path: "/ünï",
      referrer: "news.example",
      country: "DE",
      device: "phone",
      browser: "Firefox",
    } as const;
    await rig.insert(atMinute(0, { place }), atMinute(14, { place }), atMinute(0));

    const result = await rig.client.query({
      query: `SELECT ${PLACE_COLUMNS.join()}, toUInt32(sum(wide.events)) AS events FROM wide
        WHERE workspace_id = {w:String} GROUP BY ALL ORDER BY ALL`,
      query_params: { w: rig.workspaceId },
      format: "JSONEachRow",
    });

    expect(await result.json()).toEqual([
      { ...NO_PLACE, events: 1 },
      { ...place, events: 2 },
    ]);
  });

  it("counts events by quarter of an hour and source", async () => {
    await rig.insert(
      atMinute(-1),
      atMinute(0),
      atMinute(14, { kind: "click" }),
      atMinute(15, { source: "server", verdict: "bot" }),
    );

    expect(await counts()).toEqual([
      { bucket: "2029-12-31 23:45:00", source: "page", events: 1 },
      { bucket: "2030-01-01 00:00:00", source: "page", events: 2 },
      { bucket: "2030-01-01 00:15:00", source: "server", events: 1 },
    ]);
  });

  it("adds what an earlier release has stored, and stores later, each event once", async () => {
    await insertAsBefore(atMinute(1), atMinute(2), atMinute(-1), atMinute(24 * 60));
    await rig.insert(atMinute(3));
    const months = await rig.store.monthsToFill();
    const recent = await rig.store.monthsToFill("2030-01-01");
    const january = await rig.store.daysToFill("203001");
    const between = await rig.store.countDifferences({ from: "2029-12-31", to: "2030-01-01" }, 10);

    // An attempt that broke off may still be at work in the store.
    for (const day of [...january, "2029-12-31"])
      await Promise.all([rig.store.fillCounts(day), rig.store.fillCounts(day), rig.store.fillCounts(day)]);
    const filled = await counts();
    const filledWide = await counts("wide");
    await insertAsBefore(atMinute(1));
    const later = await rig.store.daysToFill("203001");
    for (const day of [...later, ...later]) await rig.store.fillCounts(day);

    expect(months.slice(0, 2)).toEqual(["203001", "202912"]);
    expect(recent).toEqual(["203001"]);
    expect(january).toEqual(["2030-01-02", "2030-01-01"]);
    expect(between.map(({ day, events, quarter, wide }) => [day, events, quarter, wide])).toEqual([
      ["2029-12-31", 1, 0, 0],
      ["2030-01-01", 3, 1, 1],
    ]);
    expect(filled).toEqual([
      { bucket: "2029-12-31 23:45:00", source: "", events: 1 },
      { bucket: "2030-01-01 00:00:00", source: "", events: 2 },
      { bucket: "2030-01-01 00:00:00", source: "page", events: 1 },
      { bucket: "2030-01-02 00:00:00", source: "", events: 1 },
    ]);
    expect(filledWide).toEqual(filled);
    expect(later).toEqual(["2030-01-01"]);
    expect(await counts("wide")).toEqual(await counts());
    expect(await counts()).toEqual([
      filled[0],
      { bucket: "2030-01-01 00:00:00", source: "", events: 3 },
      ...filled.slice(2),
    ]);
    // The same once more lacks the same, of more.
    await insertAsBefore(atMinute(1));
    await rig.store.fillCounts("2030-01-01");
    expect(await rig.store.daysToFill("203001")).toEqual([]);
  });

  it("adds to `wide` alone what a release without places has stored", async () => {
    const at = Date.UTC(2031, 0, 1, 7);
    const events = [atMinute(0, { occurredAt: at }), atMinute(0, { occurredAt: at, source: "server" })];
    await insertWithoutPlace(...events);
    await rig.insert(atMinute(0, { occurredAt: at, place: { ...NO_PLACE, country: "DE" } }));
    const quarter = await counts();

    expect(await rig.store.monthsToFill("2031-01-01")).toEqual(["203101"]);
    expect(await rig.store.daysToFill("203101")).toEqual(["2031-01-01"]);
    await Promise.all([rig.store.fillCounts("2031-01-01"), rig.store.fillCounts("2031-01-01")]);

    expect(await counts()).toEqual(quarter);
    expect(await counts("wide")).toEqual(quarter);
    expect(quarter).toEqual([
      { bucket: "2031-01-01 07:00:00", source: "page", events: 2 },
      { bucket: "2031-01-01 07:00:00", source: "server", events: 1 },
    ]);
    expect(await rig.store.daysToFill("203101")).toEqual([]);
  });

  it("neither fills nor compares days that `wide` does not keep", async () => {
    const store = createStatsStore({ ...rig.clickHouse, database: rig.short, splitRetentionDays: 30 });
    onTestFinished(() => store.close());
    await store.migrate();
    const client = createClient({ ...rig.clickHouse, database: rig.short });
    onTestFinished(() => client.close());
    const at = (daysAgo: number) => Date.now() - daysAgo * 86_400_000;
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
    const [kept, gone] = [29, 30].map((daysAgo) => rig.anEvent({ occurredAt: at(daysAgo) }));
    if (kept === undefined || gone === undefined) throw new Error("There are no events.");
    await client.insert({
      table: "events (event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at, source)",
      values: [kept, gone].map((event) => JSON.parse(encodeEventRow(event)).slice(0, 8)),
      format: "JSONCompactEachRow",
    });
    const days = { from: dayOf(gone.occurredAt), to: dayOf(kept.occurredAt) };

    expect(await store.countDifferences(days, 10)).toMatchObject([{ day: days.to, quarter: 1, wide: 0 }]);
    const lacking: string[] = [];
    for (const month of await store.monthsToFill()) lacking.push(...(await store.daysToFill(month)));
    for (const day of [days.from, days.to]) await store.fillCounts(day);

    expect(lacking).toEqual([days.to]);
    expect(await store.monthsToFill()).toEqual([]);
    expect(await store.countDifferences(days, 10)).toEqual([]);
    expect(await store.splitRetentionDays()).toBe(30);
  });

  it("keeps the counts of raw events that are gone", async () => {
    await insertAsBefore(atMinute(1), atMinute(20));
    await rig.store.fillCounts("2030-01-01");
    const before = await counts();
    await rig.client.command({
      query: `ALTER TABLE events DELETE WHERE workspace_id = '${rig.workspaceId}'`,
      clickhouse_settings: { mutations_sync: "2" },
    });

    expect(await rig.store.daysToFill("203001")).toEqual([]);
    await rig.store.fillCounts("2030-01-01");
    expect(await counts()).toEqual(before);
  });

  it("is rebuilt with the rows of earlier releases, which are not added again", async () => {
    const occurredAt = Date.UTC(2030, 4, 3, 10);
    await insertAsBefore(atMinute(0, { occurredAt }));
    await rig.insert(atMinute(0, { occurredAt, source: "link" }));
    await rig.store.fillCounts("2030-05-03");
    const before = await counts();

    await rig.store.rebuildCounts("2030-05-03");
    await rig.store.fillCounts("2030-05-03");

    expect(await counts()).toEqual(before);
    expect(before).toEqual(
      ["", "link"].map((source) => ({ bucket: "2030-05-03 10:00:00", source, events: 1 })),
    );
  });

  it("tells which events an earlier release has stored", async () => {
    const [before, since] = [atMinute(4), atMinute(5)];
    const between = atMinute(6);
    await insertAsBefore(before);
    await insertWithoutPlace(between);
    await rig.insert(since);

    expect(await rig.store.formOfRows([between, since])).toBe("without place");
    expect(await rig.store.formOfRows([since, before])).toBe("without source");
    expect(await rig.store.formOfRows([since, atMinute(4)])).toBe("whole");
    expect(await rig.store.formOfRows([])).toBe("whole");
  });
}
