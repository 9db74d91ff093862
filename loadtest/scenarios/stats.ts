import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { createStatsStore, type StatsStore } from "#libs/stats-store/index.ts";
import type { Bench } from "../bench/bench.ts";
import { startService } from "../engines/services.ts";
import { DAYS, makeEvents } from "../engines/stats-events.ts";
import { SEEDS } from "../engines/test-engines.ts";
import { type ReadTimes, timeReads } from "../measure/timed-reads.ts";
import { type Later, releasing } from "../processes/releases.ts";
import type { ScenarioResult } from "../report/result.ts";
import { eventRows } from "../seeds/event-rows.ts";
import { seedId } from "../seeds/seed-ids.ts";

const DATABASE = "loadtest_stats";
const MADE_WITHIN_MS = 600_000;
const WINDOWS = [1, 7, 30, 90, 365];
const DAY_MS = 86_400_000;
/** As ingestion does under load: a range every 600 ms. */
const INSERTED_AT_ONCE = 12_000;
const INSERTED_EVERY_MS = 600;
const WORKSPACE = seedId("ws", SEEDS.main.first);
const WARM_UP_SECONDS = 3;
/** Steps of it come to each ad once before any twice. */
const STRIDE = 7_919;

/** Stats of a thousand ads, over one day to a year, at rest and while events are inserted, against counting raw events. */
export function stats(bench: Bench): Promise<ScenarioResult> {
  const { options, testEngines } = bench;
  return releasing(async (later) => {
    const access = { ...(await testEngines.clickHouse()), database: DATABASE };
    const store = createStatsStore(access);
    later(() => store.close());
    await store.migrate();
    const { url, username, password } = access;
    const client = createClient({
      url,
      username,
      password,
      database: DATABASE,
      request_timeout: MADE_WITHIN_MS,
      log: { level: ClickHouseLogLevel.OFF },
    });
    later(() => client.close());
    later(() => client.command({ query: `DROP DATABASE IF EXISTS ${DATABASE} SYNC` }));

    const begun = performance.now();
    await makeEvents(client, options.events, Date.now(), () => undefined);
    const madeSeconds = (performance.now() - begun) / 1000;
    // What a read costs is not to depend on how far merging has come.
    await client.command({ query: "OPTIMIZE TABLE daily FINAL" });

    const seconds = options.duration;
    const reads: Record<string, ReadTimes> = {};
    for (const days of WINDOWS) {
      reads[`an ad, ${days} days`] = await timeReads(seconds, (nth) =>
        store.dailyOfAd(WORKSPACE, adOf(nth), last(days)),
      );
    }
    reads["the workspace, 30 days"] = await timeReads(seconds, () =>
      store.dailyOfWorkspace(WORKSPACE, last(30)),
    );
    reads["all ads, 30 days"] = await timeReads(seconds, () => store.countsByAd(WORKSPACE, last(30)));
    reads["an ad, 30 days, while inserting"] = await whileInserting(store, () =>
      timeReads(seconds, (nth) => store.dailyOfAd(WORKSPACE, adOf(nth), last(30))),
    );
    reads["an ad, 30 days, through the API"] = await throughTheApi(bench, later);
    reads["baseline: an ad, 30 days, raw events"] = await timeReads(seconds, (nth) =>
      countRaw(client, adOf(nth), last(30)),
    );
    return summarise(reads, options.events, madeSeconds);
  });
}

function adOf(nth: number): string {
  return seedId("ad", SEEDS.main.firstAd + ((nth * STRIDE) % SEEDS.main.adsEach));
}

function last(days: number): { from: string; to: string } {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: day(Date.now() - (Math.min(days, DAYS) - 1) * DAY_MS), to: day(Date.now()) };
}

/** The common design without a table of days: what happened is counted each time. */
async function countRaw(
  client: ClickHouseClient,
  adId: string,
  days: { from: string; to: string },
): Promise<void> {
  const result = await client.query({
    query: `SELECT toDate(occurred_at) AS day, toFloat64(countIf(kind = 'impression')) AS impressions,
        toFloat64(countIf(kind = 'click')) AS clicks FROM events
      WHERE workspace_id = {workspaceId:String} AND ad_id = {adId:String} AND verdict = 'valid'
        AND occurred_at >= toDateTime({from:Date}, 'UTC') AND occurred_at < toDateTime({to:Date} + 1, 'UTC')
      GROUP BY day ORDER BY day`,
    query_params: { workspaceId: WORKSPACE, adId, ...days },
    format: "JSONEachRow",
  });
  await result.json();
}

async function whileInserting<T>(store: StatsStore, body: () => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const rows = [eventRows(0, INSERTED_AT_ONCE, Date.now())];
  const inserting = (async () => {
    for (let nth = 0; !stopping.signal.aborted; nth += 1) {
      const started = performance.now();
      await store.insertRange({ token: `loadtest ${nth}`, rows });
      const rest = Math.max(0, INSERTED_EVERY_MS - (performance.now() - started));
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  })();
  inserting.catch(() => undefined);
  try {
    return await body();
  } finally {
    stopping.abort();
    await inserting;
  }
}

/** As a publisher reads them: with a key, through management. */
async function throughTheApi({ options, testEngines, folder }: Bench, later: Later): Promise<ReadTimes> {
  const keys = await testEngines.mainKeys();
  const engines = { ...(await testEngines.all()), clickHouseDatabase: DATABASE };
  const { profileDir } = options;
  const server = await startService("management", engines, { folder, topic: "stats", profileDir });
  later(() => server.stop());
  const read = async (nth: number) => {
    const path = `/v1/workspaces/${WORKSPACE}/ads/${adOf(nth)}/stats?days=30`;
    const headers = { authorization: `Bearer ${keys[nth % keys.length]}` };
    const response = await fetch(`${server.origin}${path}`, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`);
  };
  // The first reads open connections, and wait for what management does when it starts.
  await timeReads(WARM_UP_SECONDS, read);
  return await timeReads(options.duration, read);
}

function summarise(
  reads: Readonly<Record<string, ReadTimes>>,
  events: number,
  madeSeconds: number,
): ScenarioResult {
  const p99 = (name: string) => reads[name]?.p99 ?? Number.NaN;
  const all = Object.entries(reads);
  return {
    scenario: "stats",
    rows: all.map(([name, { count, p50, p99: slow, max }]) => ({
      [`stats, ${events} events`]: name,
      reads: count,
      "p50 ms": p50,
      "p99 ms": slow,
      "max ms": max,
    })),
    headline: {
      stats: {
        events,
        p99Ms: p99("an ad, 30 days"),
        yearP99Ms: p99("an ad, 365 days"),
        whileInsertingP99Ms: p99("an ad, 30 days, while inserting"),
        throughTheApiP99Ms: p99("an ad, 30 days, through the API"),
      },
    },
    charts: [
      {
        kind: "bars",
        title: "Reading stats",
        unit: "ms",
        bars: all.flatMap(([name, { p50, p99: slow }]) => [
          { label: `${name}, p50`, value: p50 },
          { label: `${name}, p99`, value: slow },
        ]),
      },
    ],
    details: { reads, madeSeconds },
    complaints: [],
  };
}
