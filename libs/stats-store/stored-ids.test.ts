import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { encodeEventRow } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { requestEventIds } from "#libs/domain/request-event-id.ts";
import {
  createStatsStore,
  type EmbeddedClickHouse,
  type EventKey,
  type StatsStore,
  startEmbeddedClickHouse,
} from "./index.ts";
import { STORED } from "./stored-ids.ts";

const NOON = Date.UTC(2026, 4, 10, 12);
const EVENTS = 1_000_000;

let dataDir: string;
let engine: EmbeddedClickHouse;
let store: StatsStore;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stored-ids-"));
  engine = await startEmbeddedClickHouse({ dataDir });
  store = createStatsStore({ ...engine, database: "placard" });
  const { url, username, password } = engine;
  client = createClient({ url, username, password, database: "placard" });
  await store.migrate();
  await client.command({
    query: `INSERT INTO events (event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at, source)
      SELECT 'evt_' || toString(number), 'ws_1', 'ad_' || toString(number % 10), 'click',
      'valid', '0123456789abcdef', fromUnixTimestamp64Milli(${NOON} + toInt64(number)), 'page' FROM numbers(${EVENTS})`,
  });
});

afterAll(async () => {
  await client.close();
  await store.close();
  await engine.close();
  await rm(dataDir, { recursive: true });
});

/** The key of one of the million events, a millisecond each; the next one is of another ad. */
function keyOf(number: number): EventKey {
  return { id: `evt_${number}`, workspaceId: "ws_1", adId: `ad_${number % 10}`, occurredAt: NOON + number };
}

it("finds the events of requests by the beginning of their ids, at their ads and times alone", async () => {
  const { request, idOf } = requestEventIds(Buffer.alloc(14, 9), true);
  const other = requestEventIds(Buffer.alloc(14, 8), true);
  const row = (id: string, adId: string, occurredAt: number) =>
    encodeEventRow({
      id,
      workspaceId: "ws_1",
      adId,
      kind: "click",
      verdict: "valid",
      visitor: "0123456789abcdef",
      occurredAt,
      source: "page",
      place: NO_PLACE,
    });
  const rows = [row(idOf(0), "ad_1", NOON), row(idOf(1), "ad_2", NOON + 9), row(other.idOf(0), "ad_1", NOON)];
  await store.insertRange({ token: "requests", rows: [Buffer.from(rows.join(""))] });
  const asked = { request, workspaceId: "ws_1", adIds: ["ad_1", "ad_2"], from: NOON, to: NOON + 9 };

  expect(await store.storedOfRequests([asked])).toEqual(new Set([idOf(0), idOf(1)]));
  expect(await store.storedOfRequests([{ ...asked, to: NOON + 8 }])).toEqual(new Set([idOf(0)]));
  expect(await store.storedOfRequests([{ ...asked, workspaceId: "ws_2" }])).toEqual(new Set());
  const many = Array.from({ length: 150 }, () => ({ ...asked, request: other.request }));
  expect(await store.storedOfRequests([...many, asked])).toEqual(new Set([idOf(0), idOf(1), other.idOf(0)]));
  expect(await store.storedOfRequests([])).toEqual(new Set());
});

it("tells which of more events than fit into a query are stored", async () => {
  const stored = Array.from({ length: 1200 }, (_, n) => keyOf((n * 777_777) % EVENTS));
  const strange = [
    keyOf(EVENTS),
    { ...keyOf(1), id: "evt_other" },
    { ...keyOf(2), id: "'; DROP TABLE events; --\\" },
    { ...keyOf(3), workspaceId: "ws_2", id: "evt_elsewhere" },
  ];

  const found = await store.storedIds([...strange, ...stored]);

  expect(found).toEqual(new Set(stored.map(({ id }) => id)));
  expect(await store.storedIds([])).toEqual(new Set());
});

it("reads only the blocks around the events", async () => {
  const keys = Array.from({ length: 100 }, (_, n) => keyOf(500_000 + n * 30));

  const plan = await client.query({
    query: `EXPLAIN indexes = 1 ${STORED}`,
    query_params: {
      workspaceIds: ["ws_1"],
      adIds: [...new Set(keys.map(({ adId }) => adId))],
      ids: keys.map(({ id }) => id),
      from: keys[0]?.occurredAt,
      to: keys.at(-1)?.occurredAt,
    },
    format: "TabSeparated",
  });

  const granules = [...(await plan.text()).matchAll(/Granules: (\d+)\/(\d+)/g)].map(([, read, all]) => [
    Number(read),
    Number(all),
  ]);
  const read = granules.at(-1)?.[0] ?? Number.NaN;
  // Every thirtieth event is of the same ad, whose three seconds are in one block, or in two.
  expect(read).toBeLessThanOrEqual(2);
  expect(Math.max(...granules.map(([, all]) => all ?? 0))).toBeGreaterThan(100);
});
