import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@clickhouse/client";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { createStatsStore, startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startIngestion } from "../worker.ts";

const PROGRAM = fileURLToPath(new URL("./counting-process.ts", import.meta.url));
/** Each run, and the count at the end, starts ClickHouse again. */
const TIME_LIMIT = 60_000;
const WAIT = { timeout: 20_000, interval: 5 };

let folder: string;
let running: ChildProcess | null = null;

beforeEach(async () => {
  folder = await aFolder();
});

afterEach(() => killGroup());

it.each([
  ["acknowledged", 100],
  ["read", 4],
  ["intent", 4],
  ["inserted", 4],
  ["committed", 4],
] as const)(
  "loses and doubles nothing when everything is killed at the step: %s",
  async (step, latestRound) => {
    const round = 1 + Math.floor(Math.random() * latestRound);

    await start([step, String(round)]);
    await groupEnded();

    await expectEachExactlyOnce();
  },
  TIME_LIMIT,
);

it("loses and doubles nothing when everything is killed at any moment, again and again", {
  timeout: TIME_LIMIT,
}, async () => {
  for (let life = 0; life < 3; life++) {
    await start([]);
    const more = (await acknowledgedBytes()) + Math.floor(Math.random() * 60_000);
    await vi.waitUntil(async () => (await acknowledgedBytes()) > more, WAIT);
    await killGroup();
  }

  await expectEachExactlyOnce();
});

/** In a process group of its own, so that one signal reaches it and the engine it starts. */
async function start(deadly: readonly string[]): Promise<void> {
  running = spawn(process.execPath, [PROGRAM, folder, ...deadly], { detached: true, stdio: "inherit" });
  await once(running, "spawn");
}

async function killGroup(): Promise<void> {
  if (running?.pid === undefined) return;
  try {
    process.kill(-running.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
  await groupEnded();
}

async function groupEnded(): Promise<void> {
  const child = running;
  if (child === null) return;
  await vi.waitUntil(() => child.signalCode !== null || child.exitCode !== null, WAIT);
  running = null;
  expect(child.signalCode).toBe("SIGKILL");
  const pids = (await textOf("engine-pids")).trim().split("\n").map(Number);
  await vi.waitUntil(() => pids.every((pid) => !isAlive(pid)), WAIT);
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function textOf(name: string): Promise<string> {
  return readFile(join(folder, name), "utf8").catch(() => "");
}

async function acknowledgedBytes(): Promise<number> {
  return stat(join(folder, "acknowledged")).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Ingests what is left and holds the acknowledged ids against the rows of the store. */
async function expectEachExactlyOnce(): Promise<void> {
  const acknowledged = (await textOf("acknowledged")).trim().split("\n");
  const log = await openLocalEventLog({ file: join(folder, "events.db") });
  const engine = await startEmbeddedClickHouse({ dataDir: join(folder, "clickhouse") });
  const store = createStatsStore({ ...engine, database: "placard" });
  const client = createClient({ ...connectionTo(engine), database: "placard" });
  try {
    await store.migrate();
    const logger = pino({ level: "silent" });
    const ingestion = await startIngestion({
      log,
      store,
      judge: createMemoryJudge(),
      logger,
      registry: new Registry(),
      lingerMs: 0,
    });
    await vi.waitUntil(async () => (await log.lag()) === 0, WAIT);
    await ingestion.close();

    const stored = await select<{ event_id: string }>("SELECT event_id FROM events");
    const ids = stored.map(({ event_id }) => event_id);
    const distinct = new Set(ids);
    const doubled = ids.length - distinct.size;
    expect({ missing: acknowledged.filter((id) => !distinct.has(id)), doubled }).toEqual({
      missing: [],
      doubled: 0,
    });
    expect(acknowledged.length).toBeGreaterThan(0);
    const key = "ad_id, toString(toDate(occurred_at)) AS day, kind, verdict";
    const raw = await select(`SELECT ${key}, toUInt32(count()) AS n FROM events GROUP BY ALL ORDER BY ALL`);
    const daily = await select(
      "SELECT ad_id, toString(day) AS day, kind, verdict, toUInt32(sum(events)) AS n FROM daily GROUP BY ALL ORDER BY ALL",
    );
    expect(daily).toEqual(raw);
    for (const table of ["quarter", "wide"]) {
      const summed = await select(
        `SELECT ad_id, toString(toDate(bucket)) AS day, kind, verdict, toUInt32(sum(events)) AS n FROM ${table} GROUP BY ALL ORDER BY ALL`,
      );
      expect(summed, table).toEqual(raw);
    }
  } finally {
    await client.close();
    await store.close();
    await engine.close();
    await log.close();
  }

  async function select<Row>(query: string): Promise<Row[]> {
    const result = await client.query({ query, format: "JSONEachRow" });
    return result.json<Row>();
  }
}

function connectionTo({ url, username, password }: { url: string; username: string; password: string }) {
  return { url, username, password };
}
