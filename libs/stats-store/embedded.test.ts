import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { foreignTargets, statusOfTarget } from "#libs/testing/raw-target.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import {
  createStatsStore,
  type EmbeddedClickHouse,
  type StatsStore,
  startEmbeddedClickHouse,
  type UnreadablePart,
} from "./index.ts";
import { aRange } from "./tests/a-range.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await aFolder();
});

async function start(port = 0): Promise<EmbeddedClickHouse> {
  const clickHouse = await startEmbeddedClickHouse({ dataDir, port });
  onTestFinished(() => clickHouse.close());
  return clickHouse;
}

/** The niceness of every thread of the process, as the system tells it. */
async function nicenessesOf(clickHouse: EmbeddedClickHouse): Promise<Set<number>> {
  const tasks = `/proc/${clickHouse.pid()}/task`;
  const each = (await readdir(tasks)).map(async (id) => {
    const stat = await readFile(join(tasks, id, "stat"), "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
  return new Set(await Promise.all(each));
}

async function openStore(clickHouse: EmbeddedClickHouse): Promise<StatsStore> {
  const store = createStatsStore({ ...clickHouse, database: "placard" });
  onTestFinished(() => store.close());
  await store.migrate();
  return store;
}

async function countsOf(clickHouse: EmbeddedClickHouse): Promise<unknown> {
  const { url, username, password } = clickHouse;
  const client = createClient({ url, username, password, database: "placard" });
  const result = await client.query({
    query: `SELECT (SELECT count() FROM events) AS events, (SELECT uniqExact(event_id) FROM events) AS ids,
      (SELECT sum(daily.events) FROM daily) AS daily`,
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const [row] = await result.json();
  await client.close();
  return row;
}

function kill(clickHouse: EmbeddedClickHouse): void {
  const pid = clickHouse.pid();
  if (pid === null) throw new Error("no process to kill");
  process.kill(pid, "SIGKILL");
}

const serving = (store: StatsStore) => vi.waitUntil(() => store.ping(), { timeout: 15_000, interval: 25 });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it("comes back by itself after a kill, on the same port with the same password and all it had", async () => {
  const clickHouse = await start();
  const store = await openStore(clickHouse);
  await store.insertRange(aRange("a", 100));
  const before = clickHouse.pid();

  kill(clickHouse);
  await vi.waitUntil(() => clickHouse.pid() !== before && clickHouse.pid() !== null, { timeout: 15_000 });
  await serving(store);
  await store.insertRange(aRange("a", 100));

  expect(await countsOf(clickHouse)).toEqual({ events: 100, ids: 100, daily: 100 });
});

it("has every range exactly once when it is killed during inserts and they are repeated", async () => {
  const clickHouse = await start();
  const store = await openStore(clickHouse);
  const killAfterMs = [3, 15, 30, 60];

  for (const [round, delay] of killAfterMs.entries()) {
    const range = aRange(`round_${round}`, 20_000);
    const inserting = store.insertRange(range).then(
      () => "done",
      () => "cut short",
    );
    const timer = setTimeout(() => kill(clickHouse), delay);
    await inserting;
    // Killed either way, so that each round also starts from a crash.
    if (clickHouse.pid() !== null && !timer.hasRef()) kill(clickHouse);
    await vi.waitUntil(
      () =>
        store.insertRange(range).then(
          () => true,
          () => false,
        ),
      { timeout: 15_000, interval: 25 },
    );
    clearTimeout(timer);
  }

  const total = killAfterMs.length * 20_000;
  expect(await countsOf(clickHouse)).toEqual({ events: total, ids: total, daily: total });
});

it.each(["events", "daily"])(
  "repeats an insert whose token was noted in %s when its rows were not yet",
  async (table) => {
    const first = await start();
    const store = await openStore(first);
    await store.insertRange(aRange("before", 10));
    await store.insertRange(aRange("cut", 10));
    const part = await lastPartOf(first, table);
    await first.close();
    // What a process leaves that is killed between the two steps; in `events`, `daily` was not reached either.
    await rm(part, { recursive: true });
    if (table === "events") await forgetLastOf("daily");

    const second = await start();
    await (await openStore(second)).insertRange(aRange("before", 10));
    await (await openStore(second)).insertRange(aRange("cut", 10));

    expect(await countsOf(second)).toEqual({ events: 20, ids: 20, daily: 20 });

    async function forgetLastOf(other: string): Promise<void> {
      const clickHouse = await start();
      const otherPart = await lastPartOf(clickHouse, other);
      await clickHouse.close();
      await rm(otherPart, { recursive: true });
    }
  },
  // The engine is started three or four times.
  120_000,
);

async function lastPartOf(clickHouse: EmbeddedClickHouse, table: string): Promise<string> {
  const { url, username, password } = clickHouse;
  const client = createClient({ url, username, password, database: "placard" });
  const result = await client.query({
    query: `SELECT path FROM system.parts WHERE active AND database = 'placard' AND table = {table:String}
      ORDER BY max_block_number DESC LIMIT 1`,
    query_params: { table },
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ path: string }>();
  await client.close();
  if (row === undefined) throw new Error(`${table} has no parts`);
  return row.path;
}

it("opens a folder whose deduplication log ends in a torn line", async () => {
  const first = await start();
  await (await openStore(first)).insertRange(aRange("a", 10));
  await first.close();
  const logs = (await readdir(dataDir, { recursive: true })).filter((name) =>
    /deduplication_log_\d+\.txt$/.test(name),
  );
  for (const log of logs) await appendFile(join(dataDir, log), "1\t2026");

  const second = await start();
  const store = await openStore(second);
  await store.insertRange(aRange("a", 10));
  await store.insertRange(aRange("b", 10));
  await second.close();
  const third = await start();
  await (await openStore(third)).insertRange(aRange("b", 10));

  expect(await countsOf(third)).toEqual({ events: 20, ids: 20, daily: 20 });
  expect(logs.length).toBeGreaterThan(1);
  for (const log of logs) expect(await readFile(join(dataDir, log), "utf8")).not.toMatch(/2026$/m);
});

it.each([
  ["", "as it was inserted"],
  ["merged", "merged with others meanwhile"],
])("repeats an insert whose rows reached the disk and whose token did not (%s)", async (merged) => {
  const first = await start();
  const store = await openStore(first);
  const confirmed = join(dataDir, "confirmed-blocks.json");
  const atFirst = await readFile(confirmed);
  for (const name of ["before", "also before", "cut"]) await store.insertRange(aRange(name, 10));
  if (merged !== "") for (const table of ["events", "daily"]) await optimize(first, table);
  await first.close();
  // The engine merges by itself, which confirms nothing.
  await writeFile(confirmed, atFirst);
  const logs = (await readdir(dataDir, { recursive: true })).filter((name) =>
    /deduplication_log_\d+\.txt$/.test(name),
  );
  // What a power failure leaves of a line that was not synced.
  for (const log of logs) await zeroLastLine(join(dataDir, log));

  const second = await start();
  const again = await openStore(second);
  for (const name of ["before", "also before", "cut"]) await again.insertRange(aRange(name, 10));

  expect(logs.length).toBeGreaterThan(1);
  expect(await countsOf(second)).toEqual({ events: 30, ids: 30, daily: 30 });
});

async function zeroLastLine(file: string): Promise<void> {
  const bytes = await readFile(file);
  const end = bytes.subarray(0, -1).lastIndexOf("\n") + 1;
  await writeFile(file, bytes.fill(0, end));
}

it("names the parts that it finds damaged, and whether the parts they were merged from replace them", async () => {
  const first = await start();
  const store = await openStore(first);
  for (const name of ["a", "b", "c"]) await store.insertRange(aRange(name, 100));
  await optimize(first, "daily");
  const merged = await lastPartOf(first, "daily");
  const inserted = await lastPartOf(first, "events");
  await first.close();
  for (const part of [merged, inserted]) await truncate(join(part, "data.bin"));

  const second = await start();
  const broken = await (await openStore(second)).brokenParts();

  expect(broken).toEqual([
    { table: "daily", name: `broken-on-start_${basename(merged)}`, isReplaced: true },
    { table: "events", name: `broken-on-start_${basename(inserted)}`, isReplaced: false },
  ]);
  expect(await countsOf(second)).toEqual({ events: 200, ids: 200, daily: 300 });
});

it("names the parts that it can no longer read, and no others, while everything else succeeds", async () => {
  const first = await start();
  const store = await openStore(first);
  for (const name of ["a", "b", "c"]) await store.insertRange(aRange(name, 10_000));
  const damaged = await lastPartOf(first, "events");
  const before = await unreadableParts(store);
  await first.close();
  const file = join(damaged, "data.bin");
  const bytes = await readFile(file);
  const middle = bytes.length >> 1;
  await writeFile(file, bytes.fill(0, middle, middle + 64));

  const second = await start();
  const again = await openStore(second);
  const after = await unreadableParts(again);

  expect(before).toEqual([]);
  expect(after).toEqual([
    { table: "events", name: basename(damaged), reason: expect.stringContaining("Checksum") },
  ]);
  expect(await again.brokenParts()).toEqual([]);
});

async function unreadableParts(store: StatsStore): Promise<UnreadablePart[]> {
  const parts: UnreadablePart[] = [];
  for await (const part of store.unreadableParts()) parts.push(part);
  return parts;
}

async function optimize(clickHouse: EmbeddedClickHouse, table: string): Promise<void> {
  const { url, username, password } = clickHouse;
  const client = createClient({ url, username, password, database: "placard" });
  await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  await client.close();
}

it("leaves no process behind when it is closed", async () => {
  const clickHouse = await start();
  const pid = clickHouse.pid() ?? 0;

  await clickHouse.close();

  expect(isAlive(pid)).toBe(false);
  expect(clickHouse.pid()).toBeNull();
});

const PARENT = `
  import { startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
  const clickHouse = await startEmbeddedClickHouse({ dataDir: process.argv[1] });
  process.send(clickHouse.pid());
  setInterval(() => {}, 1000);
`;

it("goes when its parent is killed, and the folder can be opened at once", async () => {
  const parent: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", PARENT, dataDir], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [pid] = await once(parent, "message");

  parent.kill("SIGKILL");
  const clickHouse = await start();

  await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000 });
  expect(clickHouse.pid()).not.toBe(pid);
});

it("says in a sentence what keeps it from starting: a folder in use, a port in use", async () => {
  const { port } = new URL((await start()).url);

  const sameFolder = startEmbeddedClickHouse({ dataDir });
  const samePort = startEmbeddedClickHouse({ dataDir: join(dataDir, "other"), port: Number(port) });

  await expect(samePort).rejects.toThrow(`port ${port} is in use`);
  await expect(sameFolder).rejects.toThrow(`another process has ${dataDir} open`);
});

const WITHOUT_CHDB = `data:text/javascript,import { registerHooks } from "node:module";
  registerHooks({ resolve(name, context, next) {
    if (name === "chdb") throw new Error("not installed");
    return next(name, context);
  } });`;

it("says in a sentence that there is no engine for the platform", async () => {
  const program = join(import.meta.dirname, "embedded-server.ts");
  const server = spawn(process.execPath, ["--import", WITHOUT_CHDB, program], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(server, "exit");

  server.send({ dataDir, port: 0, username: "placard", password: "a password of the test" });
  const [report] = await once(server, "message");

  expect(report).toEqual({
    state: "failed",
    reason: "no embedded ClickHouse for this platform; set CLICKHOUSE_URL",
  });
  expect(await ended).toEqual([1, null]);
});

it("answers as ClickHouse does, to those who know the password", async () => {
  const { url, username, password } = await start();
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization, ...init.headers } });

  const refusals = await Promise.all([
    fetch(`${url}/?query=SELECT%201`),
    fetch(`${url}/?query=SELECT%201`, {
      headers: { "X-ClickHouse-User": username, "X-ClickHouse-Key": "no" },
    }),
    ask("/?query=SELEC"),
    ask("/?query=SELECT%201&max_threads%3D1%2C=2"),
    ask("/?query=SELECT%201&session_id=1"),
    ask("/", { method: "POST", body: "SET max_threads = 1" }),
    ask("/", { method: "POST", body: "SELECT 1", headers: { "content-encoding": "gzip" } }),
    ask("/?query=SELECT%201&database=nosuch"),
    ask("/", {
      method: "POST",
      body: "no form",
      headers: { "content-type": "multipart/form-data; boundary=b" },
    }),
    ask("/", { method: "POST", body: aFormWithATable() }),
    ask("/", { method: "POST", body: aFormWith("a".repeat(131_073)) }),
    ask("/?query=INSERT%20INTO%20nosuch%20FORMAT%20TabSeparated", { method: "POST", body: "1\n\n2\n" }),
  ]);
  const byKey = await fetch(`${url}/?param_a=1`, {
    method: "POST",
    body: "SELECT {a:UInt8} + 1",
    headers: { "X-ClickHouse-User": username, "X-ClickHouse-Key": password },
  });

  const codes = refusals.map((refusal) => [
    refusal.status,
    refusal.headers.get("x-clickhouse-exception-code"),
  ]);
  expect(codes).toEqual([
    [403, "516"],
    [403, "516"],
    [500, "47"],
    [500, "115"],
    [500, "48"],
    [500, "48"],
    [500, "48"],
    [500, "81"],
    [500, "36"],
    [500, "48"],
    [500, "1000"],
    [500, "27"],
  ]);
  expect(await byKey.text()).toBe("2\n");
  expect(await (await fetch(`${url}/ping`)).text()).toBe("Ok.\n");
});

it("gives nobody what a query had answered before it failed", async () => {
  const { url, username, password } = await start();
  const client = createClient({ url, username, password, log: { level: ClickHouseLogLevel.OFF } });
  onTestFinished(() => client.close());
  const atOnce = (query: string) =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        const result = await client.query({ query, format: "JSONEachRow" });
        return result.text();
      }),
    );
  const failing = `SELECT number AS others, throwIf(number = 90000) FROM numbers(100000) SETTINGS max_block_size = 50`;

  await expect(atOnce(failing)).rejects.toThrow();
  const answers = await vi.waitFor(() => atOnce("SELECT 1 AS mine"));

  expect(new Set(answers)).toEqual(new Set(['{"mine":1}\n']));
});

it("answers a short query while a long one runs, also where both have parameters", async () => {
  const { url, username, password } = await start();
  const client = createClient({ url, username, password });
  onTestFinished(() => client.close());
  const pausing = async (times: number) => {
    const query = "SELECT sum(sleepEachRow(0.1)) FROM numbers({times:UInt8})";
    await (await client.query({ query, query_params: { times } })).text();
    return times;
  };

  const long = pausing(29);

  expect(await Promise.race([long, pausing(1)])).toBe(1);
  await long;
});

it("applies settings in the address to their query only, whatever is in them", async () => {
  const { url, username, password } = await start();
  const client = createClient({ url, username, password });
  onTestFinished(() => client.close());
  const read = async (comment?: string) => {
    const result = await client.query({
      query: "SELECT toString(getSetting('log_comment')) AS comment, 1 AS one -- a comment at the end",
      format: "JSONEachRow",
      ...(comment !== undefined && { clickhouse_settings: { log_comment: comment } }),
    });
    return result.json();
  };

  const hostile = "', max_threads = '1\\";

  expect(await read(hostile)).toEqual([{ comment: hostile, one: 1 }]);
  expect(await read()).toEqual([{ comment: "", one: 1 }]);
});

function aFormWith(value: string): FormData {
  const form = new FormData();
  form.append("query", "SELECT {a:String}");
  form.append("param_a", value);
  return form;
}

function aFormWithATable(): FormData {
  const form = new FormData();
  form.set("query", "SELECT * FROM ids");
  form.set("ids", new Blob(["evt_1"]), "ids.tsv");
  return form;
}

it.runIf(process.platform === "linux")(
  "steps back behind others with all its threads, if asked to",
  async () => {
    const clickHouse = await startEmbeddedClickHouse({ dataDir, niceness: 7 });
    onTestFinished(() => clickHouse.close());
    await openStore(clickHouse);

    // The engine's thread that watches memory gives itself another, where it may.
    expect(await nicenessesOf(clickHouse)).toContain(7);
    expect(await nicenessesOf(clickHouse)).not.toContain(0);

    const before = clickHouse.pid();
    kill(clickHouse);
    await vi.waitUntil(() => clickHouse.pid() !== before && clickHouse.pid() !== null, { timeout: 15_000 });
    expect(await nicenessesOf(clickHouse)).not.toContain(0);
  },
);

it("answers 404 to strange targets of callers without a password, and lives on", async () => {
  const clickHouse = await start();
  const before = clickHouse.pid();
  const targets = [...foreignTargets("/ping"), "/\\", "http://", "http:///ping"];

  const statuses = await Promise.all(targets.map((target) => statusOfTarget(clickHouse.url, target)));

  expect(statuses.filter((status) => status !== 404 && status !== 400)).toEqual([]);
  expect(await statusOfTarget(clickHouse.url, "/ping")).toBe(200);
  expect(clickHouse.pid()).toBe(before);
});
