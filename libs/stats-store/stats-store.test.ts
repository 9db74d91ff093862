import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { EVENT_KINDS, encodeEventRow, type TrackedEvent, VERDICTS } from "#libs/domain/event.ts";
import {
  createStatsStore,
  type EmbeddedClickHouse,
  type StatsStore,
  startEmbeddedClickHouse,
} from "./index.ts";

let dataDir: string;
let clickHouse: EmbeddedClickHouse;
let store: StatsStore;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stats-store-"));
  clickHouse = await startEmbeddedClickHouse({ dataDir });
  store = createStatsStore({ ...clickHouse, database: "placard" });
  client = createClient({
    url: clickHouse.url,
    username: clickHouse.username,
    password: clickHouse.password,
    database: "placard",
  });
  await store.migrate();
});

afterAll(async () => {
  await client?.close();
  await store?.close();
  await clickHouse?.close();
  await rm(dataDir, { recursive: true, force: true });
});

// Each test has a workspace of its own, so none sees another's rows.
let workspaceId = "";
let workspaces = 0;
beforeEach(() => {
  workspaces += 1;
  workspaceId = `ws_${workspaces}`;
});

const ALL_DAYS = { from: "2020-01-01", to: "2099-12-31" };
const NOON = Date.UTC(2026, 4, 10, 12);

let events = 0;
function anEvent(changes: Partial<TrackedEvent> = {}): TrackedEvent {
  events += 1;
  return {
    id: `evt_${events}`,
    workspaceId,
    adId: "ad_1",
    kind: "impression",
    verdict: "valid",
    visitor: events.toString(16).padStart(16, "0"),
    occurredAt: NOON,
    ...changes,
  };
}

function rowsOf(events: readonly TrackedEvent[]): Buffer[] {
  return [Buffer.from(events.map(encodeEventRow).join(""))];
}

let tokens = 0;
function newToken(): string {
  tokens += 1;
  return `token ${tokens}`;
}

async function insert(...events: TrackedEvent[]): Promise<void> {
  await store.insertRange({ token: newToken(), rows: rowsOf(events) });
}

/** What the two tables hold of the workspace. */
async function stored(): Promise<{ events: number; daily: number }> {
  const result = await client.query({
    query: `SELECT (SELECT count() FROM events WHERE workspace_id = {w:String}) AS events,
      (SELECT sum(daily.events) FROM daily WHERE workspace_id = {w:String}) AS daily`,
    query_params: { w: workspaceId },
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const [row] = await result.json<{ events: number; daily: number }>();
  return row ?? { events: -1, daily: -1 };
}

it("can be migrated again, and by several processes at once", async () => {
  const others = [1, 2, 3].map(() => createStatsStore({ ...clickHouse, database: "raced" }));

  await Promise.all(others.map((other) => other.migrate()));
  await Promise.all(others.map((other) => other.migrate()));
  await others[0]?.insertRange({ token: "raced", rows: rowsOf([anEvent()]) });

  expect(await others[1]?.dailyOfAd(workspaceId, "ad_1", ALL_DAYS)).toHaveLength(1);
  await Promise.all(others.map((other) => other.close()));
});

it("applies a changed retention of raw events to the table that is there", async () => {
  const shorter = createStatsStore({ ...clickHouse, database: "raced", eventRetentionDays: 90 });

  await shorter.migrate();

  const result = await client.query({
    query:
      "SELECT create_table_query AS made FROM system.tables WHERE database = 'raced' AND name = 'events'",
    format: "JSONEachRow",
  });
  expect(await result.json()).toEqual([{ made: expect.stringContaining("toIntervalDay(90)") }]);
  await shorter.close();
});

it("stores every kind and verdict with the exact time and visitor", async () => {
  const all = EVENT_KINDS.flatMap((kind) =>
    VERDICTS.map((verdict) => anEvent({ kind, verdict, visitor: "fedcba9876543210", occurredAt: NOON + 7 })),
  );

  await insert(...all);

  const result = await client.query({
    query: `SELECT event_id AS id, workspace_id AS workspaceId, ad_id AS adId, kind, verdict, visitor,
      toUnixTimestamp64Milli(occurred_at) AS occurredAt FROM events
      WHERE workspace_id = {w:String} ORDER BY kind, verdict`,
    query_params: { w: workspaceId },
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  expect(await result.json()).toEqual(all);
});

it("inserts a repeated token once and another token again, in both tables", async () => {
  const range = { token: newToken(), rows: rowsOf([anEvent(), anEvent()]) };

  await store.insertRange(range);
  await store.insertRange(range);
  const afterRepetition = await stored();
  await store.insertRange({ ...range, token: newToken() });

  expect(afterRepetition).toEqual({ events: 2, daily: 2 });
  expect(await stored()).toEqual({ events: 4, daily: 4 });
});

it("inserts a range over the turn of a year once, though every table cuts it in two", async () => {
  const newYear = Date.UTC(2027, 0, 1);
  const range = {
    token: newToken(),
    rows: rowsOf([-2, -1, 0, 1].map((ms) => anEvent({ occurredAt: newYear + ms }))),
  };

  await store.insertRange(range);
  await store.insertRange(range);

  expect(await stored()).toEqual({ events: 4, daily: 4 });
  expect(await store.dailyOfAd(workspaceId, "ad_1", ALL_DAYS)).toEqual([
    { day: "2026-12-31", impressions: 2, clicks: 0 },
    { day: "2027-01-01", impressions: 2, clicks: 0 },
  ]);
});

it("takes 100,000 rows as one block, however they are cut into buffers", async () => {
  const lines = Array.from({ length: 100_000 }, (_, n) => encodeEventRow(anEvent({ adId: `ad_${n % 300}` })));
  const whole = Buffer.from(lines.join(""));
  const cut = [whole.subarray(0, 1), whole.subarray(1, 777_777), whole.subarray(777_777)];
  const token = newToken();

  await store.insertRange({ token, rows: cut });
  await store.insertRange({ token, rows: [whole] });

  expect(await stored()).toEqual({ events: 100_000, daily: 100_000 });
  const parts = await client.query({
    query:
      "SELECT count() AS parts FROM system.parts WHERE database = 'placard' AND table = 'events' AND rows = 100000",
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  expect(await parts.json()).toEqual([{ parts: 1 }]);
});

it("refuses a range with a bad line whole, and takes the good ones under the same token after", async () => {
  const token = newToken();
  const good = rowsOf([anEvent(), anEvent()]);

  const refused = store.insertRange({ token, rows: [...good, Buffer.from("not a row\n")] });

  await expect(refused).rejects.toMatchObject({ name: "StatsStoreError", code: "REFUSED", canRetry: false });
  expect(await stored()).toEqual({ events: 0, daily: 0 });
  await store.insertRange({ token, rows: good });
  expect(await stored()).toEqual({ events: 2, daily: 2 });
});

const asText = (event: TrackedEvent) => encodeEventRow(event);
it.each([
  ["an unknown kind", () => asText(anEvent()).replace('"impression"', '"view"')],
  ["an unknown verdict", () => asText(anEvent()).replace('"valid"', '"fine"')],
  ["a visitor that is too long", () => asText(anEvent({ visitor: "0".repeat(17) }))],
  ["a null", () => asText(anEvent()).replace('"impression"', "null")],
  ["a time that is text", () => asText(anEvent()).replace(String(NOON), '"yesterday"')],
  ["a time with a fraction", () => asText(anEvent()).replace(String(NOON), "1793000000.5")],
  ["a time before the service", () => asText(anEvent({ occurredAt: 5 }))],
  ["a time far ahead", () => asText(anEvent({ occurredAt: 9e15 }))],
  ["a column too few", () => '["evt","ws","ad"]\n'],
  ["a column too many", () => asText(anEvent()).replace("]", ',"more"]')],
  ["an object", () => '{"event_id":"evt"}\n'],
  ["a line cut short", () => asText(anEvent()).slice(0, 40)],
  ["broken escapes", () => '["\\u12","ws","ad","click","valid","0000000000000000",1793000000000]\n'],
  ["a null byte for a line", () => "\u0000\n"],
])("refuses %s", async (_, line) => {
  const refused = store.insertRange({ token: newToken(), rows: [Buffer.from(line())] });

  await expect(refused).rejects.toMatchObject({ code: "REFUSED" });
  expect(await stored()).toEqual({ events: 0, daily: 0 });
});

it("never takes a damaged line for an outage", async () => {
  const line = encodeEventRow(anEvent());
  const damaged = fc
    .tuple(fc.nat(line.length - 2), fc.nat(4), fc.uint8Array({ maxLength: 4 }))
    .map(([at, gone, bytes]) =>
      Buffer.concat([Buffer.from(line.slice(0, at)), bytes, Buffer.from(line.slice(at + gone))]),
    );

  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const outcome = await store
        .insertRange({ token: newToken(), rows: [bytes] })
        .catch((error) => (error.code === "REFUSED" ? "REFUSED" : String(error.message)));
      expect([undefined, "REFUSED"]).toContain(outcome);
    }),
    { numRuns: 80 },
  );
});

it("counts valid events by UTC day and leaves out days without any", async () => {
  const midnight = Date.UTC(2026, 2, 2);
  await insert(
    anEvent({ occurredAt: midnight - 1 }),
    anEvent({ occurredAt: midnight }),
    anEvent({ occurredAt: midnight, kind: "click" }),
    anEvent({ occurredAt: midnight, verdict: "bot" }),
    anEvent({ occurredAt: midnight + 86_399_999 }),
    anEvent({ occurredAt: midnight + 2 * 86_400_000, adId: "ad_2" }),
  );
  await insert(anEvent({ occurredAt: midnight }), anEvent({ occurredAt: midnight, workspaceId: "ws_other" }));

  expect(await store.dailyOfAd(workspaceId, "ad_1", ALL_DAYS)).toEqual([
    { day: "2026-03-01", impressions: 1, clicks: 0 },
    { day: "2026-03-02", impressions: 3, clicks: 1 },
  ]);
  expect(await store.dailyOfAd(workspaceId, "ad_1", { from: "2026-03-02", to: "2026-03-02" })).toHaveLength(
    1,
  );
  expect(await store.dailyOfAd(workspaceId, "ad_1", { from: "2026-03-03", to: "2026-03-09" })).toEqual([]);
  expect(await store.dailyOfWorkspace(workspaceId, ALL_DAYS)).toEqual([
    { day: "2026-03-01", impressions: 1, clicks: 0 },
    { day: "2026-03-02", impressions: 3, clicks: 1 },
    { day: "2026-03-04", impressions: 1, clicks: 0 },
  ]);
});

it("counts by ad in a window, and of named ads over all time, within the workspace only", async () => {
  await insert(
    anEvent({ adId: "ad_1" }),
    anEvent({ adId: "ad_1", kind: "click", occurredAt: NOON - 400 * 86_400_000 }),
    anEvent({ adId: "ad_2", kind: "click" }),
    anEvent({ adId: "ad_3", verdict: "duplicate" }),
    anEvent({ adId: "ad_1", workspaceId: "ws_other" }),
  );

  expect(await store.countsByAd(workspaceId, { from: "2026-05-10", to: "2026-05-10" })).toEqual([
    { adId: "ad_1", impressions: 1, clicks: 0 },
    { adId: "ad_2", impressions: 0, clicks: 1 },
  ]);
  expect(await store.countsOfAds(workspaceId, ["ad_1", "ad_1", "ad_3", "ad_unknown"])).toEqual([
    { adId: "ad_1", impressions: 1, clicks: 1 },
  ]);
  expect(await store.countsOfAds(workspaceId, [])).toEqual([]);
});

it("finds named ads among thousands of names", async () => {
  await insert(anEvent({ adId: "ad_0" }), anEvent({ adId: "ad_2500" }));
  const names = Array.from({ length: 2600 }, (_, n) => `ad_${n}`);

  const counts = await store.countsOfAds(workspaceId, names);

  expect(counts.map((count) => count.adId)).toEqual(["ad_0", "ad_2500"]);
});

it("tells traffic by day, kind and verdict", async () => {
  await insert(
    anEvent(),
    anEvent(),
    anEvent({ verdict: "prefetch" }),
    anEvent({ kind: "click", verdict: "not_serving" }),
    anEvent({ adId: "ad_2", verdict: "bot" }),
    anEvent({ workspaceId: "ws_other" }),
  );

  expect(await store.trafficOfAd(workspaceId, "ad_1", ALL_DAYS)).toEqual([
    { day: "2026-05-10", kind: "impression", verdict: "valid", events: 2 },
    { day: "2026-05-10", kind: "impression", verdict: "prefetch", events: 1 },
    { day: "2026-05-10", kind: "click", verdict: "not_serving", events: 1 },
  ]);
});

it("counts a visitor once over ranges, days and kinds, and not at all without a valid event", async () => {
  const visitors = Array.from({ length: 3000 }, (_, n) => n.toString(16).padStart(16, "0"));
  await insert(...visitors.map((visitor) => anEvent({ visitor })));
  await insert(
    ...visitors.map((visitor) => anEvent({ visitor, kind: "click", occurredAt: NOON + 86_400_000 })),
  );
  await insert(anEvent({ visitor: "b".repeat(16), verdict: "bot" }), anEvent({ workspaceId: "ws_other" }));

  expect(await store.visitorsOfAd(workspaceId, "ad_1", ALL_DAYS)).toBe(3000);
  expect(await store.visitorsOfAd(workspaceId, "ad_unknown", ALL_DAYS)).toBe(0);
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
  const row = [newToken(), hostile, hostile, "click", "valid", "0000000000000000", NOON];
  await store.insertRange({ token: newToken(), rows: [Buffer.from(`${JSON.stringify(row)}\n`)] });

  expect(await store.dailyOfAd(hostile, hostile, ALL_DAYS)).toEqual([
    { day: "2026-05-10", impressions: 0, clicks: 1 },
  ]);
  expect(await store.countsOfAds(hostile, ["x", hostile, "y"])).toEqual([
    { adId: hostile, impressions: 0, clicks: 1 },
  ]);
  expect(await store.dailyOfAd(hostile, `${hostile}x`, ALL_DAYS)).toEqual([]);
});

it("answers queries while it inserts", async () => {
  const range = () => Array.from({ length: 20_000 }, (_, n) => anEvent({ adId: `ad_${n % 10}` }));
  const ranges = Array.from({ length: 5 }, range);

  const [seen] = await Promise.all([
    Promise.all(Array.from({ length: 30 }, () => store.dailyOfWorkspace(workspaceId, ALL_DAYS))),
    ...ranges.map((range) => insert(...range)),
  ]);

  // A range is there whole or not at all.
  for (const [day] of seen) expect((day?.impressions ?? 0) % 20_000).toBe(0);
  expect(await stored()).toEqual({ events: 100_000, daily: 100_000 });
});

it("says UNAVAILABLE where nothing listens, where the password is wrong and before the schema is there", async () => {
  const nowhere = createStatsStore({ ...clickHouse, url: "http://127.0.0.1:1", database: "placard" });
  const stranger = createStatsStore({ ...clickHouse, password: "guess", database: "placard" });
  const empty = createStatsStore({ ...clickHouse, database: "empty" });
  const range = { token: newToken(), rows: rowsOf([anEvent()]) };

  for (const other of [nowhere, stranger, empty]) {
    await expect(other.insertRange(range)).rejects.toMatchObject({ code: "UNAVAILABLE", canRetry: true });
    await expect(other.dailyOfAd("ws", "ad", ALL_DAYS)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await other.close();
  }
  expect(await nowhere.ping()).toBe(false);
  expect(await stranger.ping()).toBe(false);
  expect(await store.ping()).toBe(true);
});
