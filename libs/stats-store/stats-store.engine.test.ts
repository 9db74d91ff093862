import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { aCertificate } from "#libs/mail/tests/certificate.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { aPassingEngine } from "../../infra/native/private-engine.ts";
import { clickHouseRecipe } from "../../infra/native/recipes.ts";
import { createStatsStore, type StatsStore, type StatsStoreOptions } from "./index.ts";
import { testStatsStore } from "./stats-store-suite.ts";
import { aRange } from "./tests/a-range.ts";
import { openProxy } from "./tests/answer-dropping-proxy.ts";

const SERVER = {
  url: process.env.CLICKHOUSE_TEST_URL ?? "",
  username: process.env.CLICKHOUSE_TEST_USER ?? "",
  password: process.env.CLICKHOUSE_TEST_PASSWORD ?? "",
};

type Access = Pick<StatsStoreOptions, "url" | "username" | "password">;

let database: string;

beforeEach(() => {
  database = `test_${randomUUID().replaceAll("-", "")}`;
});

function openStore(access: Access, options: Partial<StatsStoreOptions> = {}): StatsStore {
  const store = createStatsStore({ database, ...access, ...options });
  onTestFinished(() => store.close());
  return store;
}

function openClient({ url, username, password }: Access) {
  const client = createClient({ url, username, password });
  onTestFinished(() => client.close());
  return client;
}

/** A store whose database is dropped after the test. */
async function aStore(options: Partial<StatsStoreOptions> = {}): Promise<StatsStore> {
  const client = openClient(SERVER);
  onTestFinished(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
  });
  const store = openStore(SERVER, options);
  await store.migrate();
  return store;
}

/** A server that may be killed. */
async function aClickHouse() {
  const { program, address, remove } = await aPassingEngine(clickHouseRecipe);
  onTestFinished(remove);
  await program.start();
  const { url, username, password } = address;
  return { url, username, password, program };
}

async function countsOf(access: Access): Promise<unknown> {
  const result = await openClient(access).query({
    query: `SELECT (SELECT count() FROM ${database}.events) AS events,
      (SELECT uniqExact(event_id) FROM ${database}.events) AS ids,
      (SELECT sum(daily.events) FROM ${database}.daily) AS daily`,
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return (await result.json())[0];
}

const equally = (count: number) => ({ events: count, ids: count, daily: count });

describe("as on any ClickHouse", () => testStatsStore(async () => ({ ...SERVER, close: async () => {} })));

describe("on a server", () => {
  it("stores a range once whose answer was lost, in events and in daily", async () => {
    const direct = await aStore();
    const proxy = await openProxy(SERVER.url);
    onTestFinished(() => proxy.close());
    const store = openStore({ ...SERVER, url: proxy.url });
    await store.insertRange(aRange("before"));
    const dropped = proxy.dropNextAnswer();

    const lost = store.insertRange(aRange("lost"));

    await expect(lost).rejects.toMatchObject({ code: "UNAVAILABLE", canRetry: true });
    await dropped;
    expect(await countsOf(SERVER)).toEqual(equally(200));
    await store.insertRange(aRange("lost"));
    await direct.insertRange(aRange("lost"));
    expect(await countsOf(SERVER)).toEqual(equally(200));
  });

  it("tells which events are stored, of ranges that were inserted twice and of none", async () => {
    const store = await aStore();
    await store.insertRange(aRange("a", 3));
    await store.insertRange(aRange("a", 3));
    const key = (id: string, n: number) => ({
      id,
      workspaceId: "ws_1",
      adId: `ad_${n}`,
      occurredAt: Date.UTC(2026, 4, 10, 12) + n,
    });

    const stored = await store.storedIds([key("evt_a_1", 1), key("evt_b_1", 1), key("evt_a_2", 2)]);

    expect([...stored].sort()).toEqual(["evt_a_1", "evt_a_2"]);
  });

  it("changes the deduplication window of tables that are there", async () => {
    await aStore();

    await openStore(SERVER, { deduplicationWindow: 250 }).migrate();

    const made = await openClient(SERVER).query({
      query: `SELECT name FROM system.tables WHERE database = '${database}'
        AND create_table_query LIKE '%non_replicated_deduplication_window = 250, replicated_deduplication_window = 250,%'
        ORDER BY name`,
      format: "JSONEachRow",
    });
    expect(await made.json()).toEqual([
      { name: "daily" },
      { name: "events" },
      { name: "quarter" },
      { name: "wide" },
    ]);
  });

  it("refuses tables of another engine than the one asked for, and leaves them as they are", async () => {
    const store = await aStore();

    const other = openStore(SERVER, { replicated: true }).migrate();

    await expect(other).rejects.toThrow(
      /the table (events|daily) exists with the engine \w*MergeTree, and CLICKHOUSE_CLUSTER or CLICKHOUSE_REPLICATED asks/,
    );
    await store.insertRange(aRange("after"));
    expect(await countsOf(SERVER)).toEqual(equally(100));
  });

  it("says in a sentence that a cluster, a Keeper's macro, a password or a database is not what was set", async () => {
    const absent = `${database}_absent`;
    const reject = async (options: Partial<StatsStoreOptions>, sentence: RegExp | string) =>
      expect(openStore(SERVER, { ...options, database: absent }).migrate()).rejects.toThrow(sentence);

    await reject({ cluster: "nowhere" }, "CLICKHOUSE_CLUSTER names nowhere, which is not in the server's");
    await reject({ replicated: true }, /No macro 'shard' in config/);
    await reject({ password: "guess" }, /Authentication failed \(check CLICKHOUSE_USER and CLICKHOUSE_P/);
    await openClient(SERVER).command({ query: `DROP DATABASE ${absent}` });
    await expect(openStore(SERVER, { database: absent }).insertRange(aRange("a"))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("CLICKHOUSE_DATABASE"),
    });
  });

  it("speaks https to a server whose authority it has, and to no other", async () => {
    await aStore();
    const { cert, key } = await aCertificate("IP:127.0.0.1");
    const clickhouse = await openProxy(SERVER.url, { cert, key });
    onTestFinished(() => clickhouse.close());
    const caFile = join(await aFolder(), "authority.pem");
    await writeFile(caFile, cert);

    const trusting = openStore({ ...SERVER, url: clickhouse.url }, { caFile });
    const wary = openStore({ ...SERVER, url: clickhouse.url });

    await trusting.insertRange(aRange("sealed"));
    await expect(wary.insertRange(aRange("sealed"))).rejects.toThrow(/self-signed certificate/);
    expect(await countsOf(SERVER)).toEqual(equally(100));
    expect(() => openStore(SERVER, { caFile: "/nowhere.pem" })).toThrow("/nowhere.pem holds no certificate");
  });
});

describe("on a server that is killed", () => {
  it("stores a range once that was being inserted, and says meanwhile that it is unavailable", async () => {
    const clickhouse = await aClickHouse();
    const store = openStore(clickhouse);
    await store.migrate();
    await store.insertRange(aRange("before"));

    for (const [round, delay] of [5, 20, 45].entries()) {
      const range = aRange(`round_${round}`, 20_000);
      const inserting = store.insertRange(range).catch((error: unknown) => error);
      const killed = new Promise<void>((resolve) =>
        setTimeout(() => void clickhouse.program.kill().then(resolve), delay),
      );
      await Promise.all([inserting, killed]);
      await expect(store.insertRange(range)).rejects.toMatchObject({ code: "UNAVAILABLE", canRetry: true });
      expect(await store.ping()).toBe(false);

      await clickhouse.program.start();
      await store.insertRange(range);
    }
    await store.insertRange(aRange("before"));

    expect(await countsOf(clickhouse)).toEqual(equally(60_100));
  });

  it("remembers tokens over a restart, and works again by itself", async () => {
    const clickhouse = await aClickHouse();
    const store = openStore(clickhouse, { requestTimeoutMs: 5_000 });
    await store.migrate();
    await Promise.all(["a", "b", "c"].map((token) => store.insertRange(aRange(token))));

    await clickhouse.program.kill();
    await expect(
      store.dailyOfAd("ws_1", "ad_1", { from: "2026-05-10", to: "2026-05-10" }),
    ).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await clickhouse.program.start();
    await vi.waitUntil(() => store.ping(), { timeout: 10_000, interval: 50 });
    await Promise.all(["a", "b", "c", "d"].map((token) => store.insertRange(aRange(token))));

    expect(await countsOf(clickhouse)).toEqual(equally(400));
    expect(await store.dailyOfAd("ws_1", "ad_1", { from: "2026-05-10", to: "2026-05-10" })).toEqual([
      { day: "2026-05-10", impressions: 20, clicks: 0 },
    ]);
  });
});
