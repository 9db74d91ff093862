import { expect, it } from "vitest";
import { EVENT_KINDS, encodeEventRow, VERDICTS } from "#libs/domain/event.ts";
import { NO_PLACE, PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import { ALL_DAYS, NOON, rowsOf, type StatsStoreRig } from "./rig.ts";

/** What is stored of a range, and that it is stored once. */
export function testRanges(rig: StatsStoreRig): void {
  it("stores every kind and verdict with the exact time, visitor and place", async () => {
    const place = { ...NO_PLACE, placement: '"é\u{1f600}\\]', path: "/a", referrer: "b", browser: "Opera" };
    const all = EVENT_KINDS.flatMap((kind) =>
      VERDICTS.map((verdict) =>
        rig.anEvent({ kind, verdict, visitor: "fedcba9876543210", occurredAt: NOON + 7, place }),
      ),
    );

    await rig.insert(...all);

    const result = await rig.client.query({
      query: `SELECT event_id AS id, workspace_id AS workspaceId, ad_id AS adId, kind, verdict, visitor,
      toUnixTimestamp64Milli(occurred_at) AS occurredAt, source, ${PLACE_COLUMNS.join()} FROM events
      WHERE workspace_id = {w:String} ORDER BY kind, verdict`,
      query_params: { w: rig.workspaceId },
      format: "JSONEachRow",
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    expect(await result.json()).toEqual(all.map(({ place, ...event }) => ({ ...event, ...place })));
  });

  it("inserts a repeated token once and another token again, in all tables", async () => {
    const range = { token: rig.newToken(), rows: rowsOf([rig.anEvent(), rig.anEvent()]) };

    await rig.store.insertRange(range);
    await rig.store.insertRange(range);
    const afterRepetition = await rig.stored();
    await rig.store.insertRange({ ...range, token: rig.newToken() });

    expect(afterRepetition).toEqual({ events: 2, daily: 2 });
    expect(await rig.stored()).toEqual({ events: 4, daily: 4 });
  });

  it("inserts a range over the turn of a year once, though every table cuts it in two", async () => {
    const newYear = Date.UTC(2027, 0, 1);
    const range = {
      token: rig.newToken(),
      rows: rowsOf([-2, -1, 0, 1].map((ms) => rig.anEvent({ occurredAt: newYear + ms }))),
    };

    await rig.store.insertRange(range);
    await rig.store.insertRange(range);

    expect(await rig.stored()).toEqual({ events: 4, daily: 4 });
    expect(await rig.store.dailyOfAd(rig.workspaceId, "ad_1", ALL_DAYS)).toEqual([
      { day: "2026-12-31", impressions: 2, clicks: 0 },
      { day: "2027-01-01", impressions: 2, clicks: 0 },
    ]);
  });

  it("takes 100,000 rows as one block, however they are cut into buffers", async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) =>
      encodeEventRow(rig.anEvent({ adId: `ad_${n % 300}` })),
    );
    const whole = Buffer.from(lines.join(""));
    const cut = [whole.subarray(0, 1), whole.subarray(1, 777_777), whole.subarray(777_777)];
    const token = rig.newToken();

    await rig.store.insertRange({ token, rows: cut });
    await rig.store.insertRange({ token, rows: [whole] });

    expect(await rig.stored()).toEqual({ events: 100_000, daily: 100_000 });
    const parts = await rig.client.query({
      query: `SELECT count() AS parts FROM system.parts WHERE database = '${rig.database}' AND table = 'events' AND rows = 100000`,
      format: "JSONEachRow",
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    expect(await parts.json()).toEqual([{ parts: 1 }]);
  });

  it("answers queries while it inserts", async () => {
    const range = () => Array.from({ length: 20_000 }, (_, n) => rig.anEvent({ adId: `ad_${n % 10}` }));
    const ranges = Array.from({ length: 5 }, range);

    const [seen] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, () => rig.store.dailyOfWorkspace(rig.workspaceId, ALL_DAYS))),
      ...ranges.map((range) => rig.insert(...range)),
    ]);

    // A range is there whole or not at all.
    for (const [day] of seen) expect((day?.impressions ?? 0) % 20_000).toBe(0);
    expect(await rig.stored()).toEqual({ events: 100_000, daily: 100_000 });
  });
}
