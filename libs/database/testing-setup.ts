import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Lent, lend } from "#libs/testing/lend.ts";
import { fastestFolder } from "#libs/testing/temporary-files.ts";
import { openDatabase } from "./connection.ts";
import { startEmbeddedPostgres } from "./embedded/embedded.ts";
import { lockFolder } from "./embedded/folder-lock.ts";
import { stopOrphan } from "./embedded/orphan.ts";
import { migrate } from "./migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the URL of the test cluster, which the first request starts. */
    testClusterAddress: string;
  }
}

/** The migrated database that each test file gets a copy of. */
export const TEMPLATE_DATABASE = "placard_template";

/** The test cluster does not outlive the run, so nothing has to survive a power failure. */
const SETTINGS = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "200" };

const FOLDER_PREFIX = "placard-test-database-";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** vitest's global setup: one Postgres for the whole run, started by the first test file that uses it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lender = await lend(startCluster);
  project.provide("testClusterAddress", lender.url);
  return () => lender.close();
}

async function startCluster(): Promise<Lent> {
  const parent = fastestFolder();
  await removeStaleClusters(parent);
  const folder = await mkdtemp(join(parent, FOLDER_PREFIX));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, settings: SETTINGS, logger: silent });
    const close = async () => {
      await postgres.close();
      await removeFolder();
    };
    await makeTemplate(postgres.url).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    return { address: postgres.url, close };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** Removes the clusters of killed test runs, with the servers that outlived them. */
async function removeStaleClusters(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    // Another run is creating a folder without a cluster right now; it may not have locked it yet.
    if (!name.startsWith(FOLDER_PREFIX) || !existsSync(join(folder, "cluster"))) continue;
    const lock = lockFolder(folder);
    if (lock === null) continue;
    await stopOrphan(join(folder, "cluster"), silent);
    lock.release();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeTemplate(url: string): Promise<void> {
  const admin = openDatabase({ url });
  await admin.pool.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.close();
  const template = openDatabase({ url: databaseUrl(url, TEMPLATE_DATABASE) });
  try {
    await migrate(template);
  } finally {
    await template.close();
  }
}

/** The same server and account, another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
