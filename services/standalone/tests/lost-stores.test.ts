import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { launchInstallation, spawnInstallation, startInstallation } from "./installation.ts";
import { aPublisherWithAds, publisherAt, readTotals } from "./publisher.ts";
import { aVisitor, report } from "./visitor.ts";

/** Several starts on a busy machine. */
const START_STOPS_MS = 90_000;

/** A folder in which everything has been counted, who has counted it, and an event log from before the last events. */
let whole: string;
let olderLog: string;
let counted: {
  readonly publisher: Awaited<ReturnType<typeof aPublisherWithAds>>["publisher"];
  readonly adId: string;
};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "placard-lost-stores-"));
  whole = join(folder, "whole");
  olderLog = join(folder, "older.db");
  const first = await spawnInstallation({ dataDir: whole });
  const { publisher, adIds } = await aPublisherWithAds(await first.origin(), 1);
  const adId = adIds[0] ?? "";
  counted = { publisher, adId };
  for (let visitor = 1; visitor <= 5; visitor += 1)
    await report(await first.origin(), adId, "impressions", aVisitor(visitor));
  await first.stop();
  await cp(join(whole, "events.db"), olderLog);
  for (let round = 1; round <= 2; round += 1) {
    const again = await spawnInstallation({ dataDir: whole });
    const origin = await again.origin();
    for (let visitor = 1; visitor <= 5; visitor += 1) {
      await report(origin, adId, "impressions", aVisitor(round * 10 + visitor));
    }
    await vi.waitFor(
      async () =>
        expect(await readTotals(publisherAt(origin, publisher), adId)).toMatchObject({
          impressions: 5 + round * 5,
        }),
      { timeout: 20_000, interval: 400 },
    );
    await again.stop();
  }
}, 300_000);

afterAll(() => rm(join(whole, ".."), { recursive: true, force: true }));

/** A copy of the whole folder that a test may damage. */
async function aCopy(): Promise<string> {
  const copy = await aFolder();
  // Postgres looks at owners and modes, which Node's own copy does not keep.
  await promisify(execFile)("cp", ["-a", `${whole}/.`, copy]);
  return copy;
}

/** What a start says that stops by itself. */
async function refusalOf(dataDir: string): Promise<string> {
  const installation = await launchInstallation({ dataDir });
  expect(await installation.ended, installation.stderr).toBe(1);
  return installation.stderr;
}

/** Starts with that loss accepted, stops, and starts again as usual. */
async function continueWithout(dataDir: string, stores: string): Promise<void> {
  const accepting = await startInstallation({ dataDir, environment: { ACCEPT_DATA_LOSS: stores } });
  expect(accepting.stderr).toContain("This was accepted (ACCEPT_DATA_LOSS).");
  await accepting.stop();
  await (await startInstallation({ dataDir })).stop();
}

it(
  "starts where nothing is lost",
  async () => {
    const installation = await startInstallation({ dataDir: await aCopy() });

    expect(installation.stderr).toBe("");
    await installation.stop();
  },
  START_STOPS_MS,
);

it(
  "names an event log and a folder of uploads that are gone, and continues without them when told to",
  async () => {
    const dataDir = await aCopy();
    for (const name of ["events.db", "events.db-wal", "events.db-shm", "uploads"]) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }

    const said = await refusalOf(dataDir);

    expect(said).toContain(`The event log in ${join(dataDir, "events.db")} is new or empty`);
    expect(said).toContain(`The folder of uploads in ${join(dataDir, "uploads")} is new or empty`);
    expect(said).toContain("ACCEPT_DATA_LOSS=events,uploads");
    await continueWithout(dataDir, "events,uploads");
  },
  START_STOPS_MS,
);

it(
  "names an event log of 0 bytes",
  async () => {
    const dataDir = await aCopy();
    await rm(join(dataDir, "events.db-wal"), { force: true });
    await truncate(join(dataDir, "events.db"), 0);

    expect(await refusalOf(dataDir)).toContain("events.db is new or empty");
  },
  START_STOPS_MS,
);

it(
  "names an event log that is older than the other stores",
  async () => {
    const dataDir = await aCopy();
    await rm(join(dataDir, "events.db-wal"), { force: true });
    await cp(olderLog, join(dataDir, "events.db"));

    expect(await refusalOf(dataDir)).toContain("events.db is older than the other stores");
  },
  START_STOPS_MS,
);

it(
  "names a folder of ClickHouse that is missing, as when a disk was not mounted",
  async () => {
    const dataDir = await aCopy();
    await rm(join(dataDir, "clickhouse"), { recursive: true });

    expect(await refusalOf(dataDir)).toContain(
      `ClickHouse in ${join(dataDir, "clickhouse")} is new or empty`,
    );
  },
  START_STOPS_MS,
);

it(
  "names a database that is missing",
  async () => {
    const dataDir = await aCopy();
    await rm(join(dataDir, "postgres"), { recursive: true });

    expect(await refusalOf(dataDir)).toContain(
      `The database in ${join(dataDir, "postgres")} is new or empty`,
    );
  },
  START_STOPS_MS,
);

it(
  "names a part of ClickHouse that is damaged and a deduplication log that is gone, once",
  async () => {
    const dataDir = await aCopy();
    const files = await readdir(join(dataDir, "clickhouse"), { recursive: true });
    for (const file of files.filter((name) => name.endsWith("deduplication_logs"))) {
      // Each is met twice: ClickHouse links to the folders of its tables.
      await rm(join(dataDir, "clickhouse", file), { recursive: true, force: true });
    }
    const ofEvents = files.filter((name) => /\/\d{6}_\d+_\d+_\d+(_\d+)?\/data\.bin$/.test(name));
    expect(ofEvents.length).toBeGreaterThan(0);
    for (const file of ofEvents) await truncate(join(dataDir, "clickhouse", file), 10);

    const said = await refusalOf(dataDir);

    expect(said).toMatch(
      /could not read \d+ parts and put them into detached\/: events\/broken-on-start_20\d{4}/,
    );
    expect(said).toMatch(/has lost (daily|events)\/deduplication log/);
    await continueWithout(dataDir, "clickhouse");
  },
  START_STOPS_MS,
);

it(
  "keeps every event where the deduplication log was emptied",
  async () => {
    const dataDir = await aCopy();
    const files = await readdir(join(dataDir, "clickhouse", "store"), { recursive: true });
    for (const file of files.filter((name) => /deduplication_log_\d+\.txt$/.test(name))) {
      await truncate(join(dataDir, "clickhouse", "store", file), 0);
    }

    expect(await refusalOf(dataDir)).toContain("has lost daily/deduplication log, events/deduplication log");

    const accepting = await startInstallation({ dataDir, environment: { ACCEPT_DATA_LOSS: "clickhouse" } });
    const reader = publisherAt(accepting.url, counted.publisher);
    expect(await readTotals(reader, counted.adId)).toMatchObject({ impressions: 15 });
    await accepting.stop();
  },
  START_STOPS_MS,
);
