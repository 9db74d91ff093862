import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { beforeEach, expect, it, vi } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { type EventLog, openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startIngestion } from "../worker.ts";
import { aLine } from "./events.ts";
import { MemoryStore } from "./memory-store.ts";

const WAIT = { timeout: 20_000, interval: 5 };

let folder: string;
let file: string;
let store: MemoryStore;
beforeEach(async () => {
  folder = await aFolder();
  file = join(folder, "events.db");
  store = new MemoryStore();
});
/** Opens the log and ingests from it while `use` runs. */
async function whileOpen(use: (log: EventLog) => Promise<void>): Promise<void> {
  const log = await openLocalEventLog({ file });
  const logger = pino({ level: "silent" });
  const ingestion = await startIngestion({
    log,
    store,
    judge: createMemoryJudge(),
    logger,
    registry: new Registry(),
    lingerMs: 0,
  });
  try {
    await use(log);
  } finally {
    await ingestion.close();
    await log.close();
  }
}

/** One range each, as with little traffic. */
async function appendOneByOne(log: EventLog, events: number): Promise<void> {
  for (let event = 0; event < events; event += 1) {
    await log.append({ rows: Buffer.from(aLine(newId("event"))), count: 1 });
    await vi.waitUntil(async () => (await log.lag()) === 0, WAIT);
  }
}

async function copyLog(from: string, to: string): Promise<void> {
  for (const part of ["", "-wal"]) await copyFile(`${from}${part}`, `${to}${part}`);
}

it("counts every new event, and the old ones once, after the log has lost its end", async () => {
  const earlier = join(folder, "earlier.db");
  await whileOpen(async (log) => {
    await appendOneByOne(log, 4);
    await copyLog(file, earlier);
    await appendOneByOne(log, 4);
  });
  const before = store.lines.length;

  await copyLog(earlier, file);
  await whileOpen((log) => appendOneByOne(log, 8));

  expect(before).toBe(8);
  expect(store.lines).toHaveLength(16);
  expect(new Set(store.lines).size).toBe(16);
});

it("counts an event once whose commit the log has lost", async () => {
  const earlier = join(folder, "earlier.db");
  await whileOpen((log) => appendOneByOne(log, 1));
  const log = await openLocalEventLog({ file });
  await log.append({ rows: Buffer.from(aLine(newId("event"))), count: 1 });
  await copyLog(file, earlier);
  await log.close();
  await whileOpen((reopened) =>
    vi.waitUntil(async () => (await reopened.lag()) === 0, WAIT).then(() => undefined),
  );
  const before = store.lines.length;

  await copyLog(earlier, file);
  await whileOpen((reopened) => appendOneByOne(reopened, 3));

  expect(before).toBe(2);
  expect(store.lines).toHaveLength(5);
  expect(new Set(store.lines).size).toBe(5);
});
