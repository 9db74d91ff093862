import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openDatabase } from "../connection.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { findRunningPostgres } from "./running.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Postgres says that it takes connections just before it notes so in the folder. */
function waitForNote(folder: string): Promise<string> {
  return vi.waitUntil(() => findRunningPostgres(folder), { timeout: 10_000 });
}

it("finds the server that another process runs on a folder, with its password, and none once it is closed", async () => {
  const folder = await aFolder();
  const postgres = await startEmbeddedPostgres({ dataDir: folder, logger, settings: { fsync: "off" } });
  onTestFinished(() => postgres.close());

  const found = await waitForNote(folder);
  const database = openDatabase({ url: found });
  await database.ping();
  await database.close();
  await postgres.close();

  expect(found).toBe(postgres.url);
  expect(await findRunningPostgres(folder)).toBeNull();
});

it("finds none in a folder where there is none, nor one that is still starting", async () => {
  const folder = await aFolder();
  const postgres = await startEmbeddedPostgres({ dataDir: folder, logger, settings: { fsync: "off" } });
  onTestFinished(() => postgres.close());
  const note = join(folder, "cluster", "postmaster.pid");
  await waitForNote(folder);
  const content = await readFile(note, "utf8");

  await writeFile(note, content.replace("ready   ", "starting"));
  const starting = await findRunningPostgres(folder);
  await writeFile(note, content);

  expect(starting).toBeNull();
  expect(await findRunningPostgres(join(folder, "nowhere"))).toBeNull();
});
