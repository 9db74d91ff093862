import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Verdict } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { encodeLoggedEvent } from "#libs/domain/logged-event.ts";
import { DUPLICATE_WINDOWS_MS } from "#libs/domain/tracking-limits.ts";
import { openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { createStatsStore, startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startIngestion } from "../worker.ts";

const EARLIER_LOG = join(import.meta.dirname, "earlier-log.sql");
/** The batches whose intent the earlier release had recorded, and its token. */
const OPEN = { first: 7, last: 26, token: "events-420f7bcec8a6ca5f:0:01f63a546d10:7-26" };
const OPEN_BATCHES = `SELECT rows FROM batches WHERE offset BETWEEN ${OPEN.first} AND ${OPEN.last} ORDER BY offset`;
const WAIT = { timeout: 20_000, interval: 5 };
/** Longer than the log's events are old, so that the store removes none. */
const EVENT_RETENTION_DAYS = 3650;
const WORKSPACE = "ws_01m8cg1ehef228h0045vw7rrdc";
/** The last visitor of the earlier release who was counted, the ad and the time. */
const LAST = {
  adId: "ad_01m8cg1ke7f228h09mmsynq9he",
  kind: "click",
  visitor: "b8f356b0450af0d2",
  occurredAt: 1_795_715_828_006,
} as const;

it.each([
  ["not inserted", false],
  ["inserted, not committed", true],
])(
  "counts each event once that the release before has left, with its verdict, and knows it as an original (the open range was %s)",
  async (_, isInserted) => {
    const folder = await aFolder();
    const file = join(folder, "events.db");
    const { open, lines } = await writeEarlierLog(file);
    const engine = await startEmbeddedClickHouse({ dataDir: join(folder, "clickhouse") });
    onTestFinished(() => engine.close());
    const access = { url: engine.url, username: engine.username, password: engine.password };
    const store = createStatsStore({
      ...access,
      database: "placard",
      eventRetentionDays: EVENT_RETENTION_DAYS,
    });
    onTestFinished(() => store.close());
    await store.migrate();
    const client = createClient({ ...access, database: "placard" });
    onTestFinished(() => client.close());
    if (isInserted) await insertAsBefore(client, open);
    const log = await openLocalEventLog({ file });
    onTestFinished(() => log.close());
    const within = aLine(LAST.occurredAt + DUPLICATE_WINDOWS_MS.click - 1);
    const after = aLine(LAST.occurredAt + DUPLICATE_WINDOWS_MS.click);
    // Before the last of the earlier lines are ingested, so that they are in a range with these.
    await log.append({ rows: Buffer.from(within + after), count: 2 });
    const ingestion = await startIngestion({
      log,
      store,
      judge: createMemoryJudge(),
      logger: pino({ level: "silent" }),
      registry: new Registry(),
      lingerMs: 0,
    });
    onTestFinished(() => ingestion.close());
    await vi.waitUntil(async () => (await log.lag()) === 0, WAIT);

    const select = async (query: string, format: "JSONCompactEachRow" | "JSONEachRow") =>
      (await (await client.query({ query, format })).text()).trimEnd().split("\n");
    const rows = await select(
      "SELECT event_id, workspace_id, ad_id, kind, verdict, toString(visitor), toUInt64(toUnixTimestamp64Milli(occurred_at)) FROM events",
      "JSONCompactEachRow",
    );
    expect(rows.map(compact).sort()).toEqual(
      [...lines, rowOf(within, "duplicate"), rowOf(after, "valid")].sort(),
    );
    expect(
      await select(
        "SELECT kind, verdict, toUInt32(sum(events)) AS events FROM daily GROUP BY ALL ORDER BY kind, toString(verdict)",
        "JSONEachRow",
      ),
    ).toEqual(
      [
        { kind: "impression", verdict: "bot", events: 1 },
        { kind: "impression", verdict: "duplicate", events: 9 },
        { kind: "impression", verdict: "prefetch", events: 1 },
        { kind: "impression", verdict: "valid", events: 27 },
        { kind: "click", verdict: "bot", events: 1 },
        { kind: "click", verdict: "duplicate", events: 3 },
        { kind: "click", verdict: "valid", events: 7 },
      ].map((counts) => JSON.stringify(counts)),
    );
    for (const month of await store.monthsToFill())
      for (const day of await store.daysToFill(month)) await store.fillCounts(day);
    expect(await store.countDifferences({ from: "2026-11-01", to: "2026-12-31" }, 10)).toEqual([]);
  },
  60_000,
);

/** As the earlier release inserted its open range, without sources. */
async function insertAsBefore(client: ClickHouseClient, rows: readonly Buffer[]): Promise<void> {
  const columns = "event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at";
  const { stream } = await client.exec({
    query: `INSERT INTO events (${columns}) FORMAT JSONCompactEachRow`,
    values: Readable.from(rows, { objectMode: false }),
    clickhouse_settings: {
      insert_deduplication_token: OPEN.token,
      deduplicate_blocks_in_dependent_materialized_views: 1,
      async_insert: 0,
      wait_end_of_query: 1,
    },
  });
  for await (const _ of stream);
}

/** Writes the file of the earlier release. Returns the rows of its open range, and all its lines. */
async function writeEarlierLog(file: string): Promise<{ open: Buffer[]; lines: string[] }> {
  const database = new DatabaseSync(file);
  database.exec(await readFile(EARLIER_LOG, "utf8"));
  const rowsOf = (query: string) =>
    database
      .prepare(query)
      .all()
      .map(({ rows }) => Buffer.from(rows instanceof Uint8Array ? rows : []));
  const open = rowsOf(OPEN_BATCHES);
  const lines = Buffer.concat(rowsOf("SELECT rows FROM batches")).toString().trimEnd().split("\n");
  database.close();
  return { open, lines };
}

/** A click of the visitor, as this release logs it. */
function aLine(occurredAt: number): string {
  return encodeLoggedEvent({
    ...LAST,
    id: newId("event"),
    workspaceId: WORKSPACE,
    verdict: "valid",
    occurredAt,
    source: "page",
    place: NO_PLACE,
    limitKey: "",
    limit: 0,
    windowMs: DUPLICATE_WINDOWS_MS.click,
    privateKeys: "",
  });
}

/** The row that becomes of a line of this release. */
function rowOf(line: string, verdict: Verdict): string {
  const row: unknown[] = JSON.parse(line).slice(0, 7);
  return JSON.stringify(row.with(4, verdict));
}

function compact(row: string): string {
  return JSON.stringify(JSON.parse(row));
}
