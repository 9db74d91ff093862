import { expect, it } from "vitest";
import type { TrackedEvent } from "#libs/domain/event.ts";
import type { StatsStoreRig } from "./rig.ts";

const NEW_YEAR = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;

/** The counts of quarter hours, and how they come to have what an earlier release has stored. */
export function testQuarter(rig: StatsStoreRig): void {
  /** As a release without sources inserts. */
  const insertAsBefore = (...events: TrackedEvent[]) =>
    rig.client.insert({
      table: "events (event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at)",
      values: events.map(({ id, workspaceId, adId, kind, verdict, visitor, occurredAt }) => [
        id,
        workspaceId,
        adId,
        kind,
        verdict,
        visitor,
        occurredAt,
      ]),
      format: "JSONCompactEachRow",
    });
  const counts = async () => {
    const result = await rig.client.query({
      query: `SELECT toString(bucket) AS bucket, source, toUInt32(sum(quarter.events)) AS events FROM quarter
        WHERE workspace_id = {w:String} GROUP BY ALL ORDER BY ALL`,
      query_params: { w: rig.workspaceId },
      format: "JSONEachRow",
    });
    return await result.json<object>();
  };
  const atMinute = (minute: number, changes: Partial<TrackedEvent> = {}) =>
    rig.anEvent({ occurredAt: NEW_YEAR + minute * MINUTE_MS, ...changes });

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
      await Promise.all([rig.store.fillQuarter(day), rig.store.fillQuarter(day), rig.store.fillQuarter(day)]);
    const filled = await counts();
    await insertAsBefore(atMinute(1));
    const later = await rig.store.daysToFill("203001");
    for (const day of [...later, ...later]) await rig.store.fillQuarter(day);

    expect(months.slice(0, 2)).toEqual(["203001", "202912"]);
    expect(recent).toEqual(["203001"]);
    expect(january).toEqual(["2030-01-02", "2030-01-01"]);
    expect(between.map(({ day, events, quarter }) => [day, events, quarter])).toEqual([
      ["2029-12-31", 1, 0],
      ["2030-01-01", 3, 1],
    ]);
    expect(filled).toEqual([
      { bucket: "2029-12-31 23:45:00", source: "", events: 1 },
      { bucket: "2030-01-01 00:00:00", source: "", events: 2 },
      { bucket: "2030-01-01 00:00:00", source: "page", events: 1 },
      { bucket: "2030-01-02 00:00:00", source: "", events: 1 },
    ]);
    expect(later).toEqual(["2030-01-01"]);
    expect(await counts()).toEqual([
      filled[0],
      { bucket: "2030-01-01 00:00:00", source: "", events: 3 },
      ...filled.slice(2),
    ]);
    // The same once more lacks the same, of more.
    await insertAsBefore(atMinute(1));
    await rig.store.fillQuarter("2030-01-01");
    expect(await rig.store.daysToFill("203001")).toEqual([]);
  });

  it("keeps the counts of raw events that are gone", async () => {
    await insertAsBefore(atMinute(1), atMinute(20));
    await rig.store.fillQuarter("2030-01-01");
    const before = await counts();
    await rig.client.command({
      query: `ALTER TABLE events DELETE WHERE workspace_id = '${rig.workspaceId}'`,
      clickhouse_settings: { mutations_sync: "2" },
    });

    expect(await rig.store.daysToFill("203001")).toEqual([]);
    await rig.store.fillQuarter("2030-01-01");
    expect(await counts()).toEqual(before);
  });

  it("is rebuilt with the rows of earlier releases, which are not added again", async () => {
    const occurredAt = Date.UTC(2030, 4, 3, 10);
    await insertAsBefore(atMinute(0, { occurredAt }));
    await rig.insert(atMinute(0, { occurredAt, source: "link" }));
    await rig.store.fillQuarter("2030-05-03");
    const before = await counts();

    await rig.store.rebuildCounts("2030-05-03");
    await rig.store.fillQuarter("2030-05-03");

    expect(await counts()).toEqual(before);
    expect(before).toEqual(
      ["", "link"].map((source) => ({ bucket: "2030-05-03 10:00:00", source, events: 1 })),
    );
  });

  it("tells which events an earlier release has stored", async () => {
    const [before, since] = [atMinute(4), atMinute(5)];
    await insertAsBefore(before);
    await rig.insert(since);

    expect(await rig.store.formOfRows([since, before])).toBe("without source");
    expect(await rig.store.formOfRows([since, atMinute(4)])).toBe("whole");
    expect(await rig.store.formOfRows([])).toBe("whole");
  });
}
