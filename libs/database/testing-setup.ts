import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Lent, lend } from "#libs/testing/lend.ts";
import { openDatabase } from "./connection.ts";
import { startEmbeddedPostgres } from "./embedded/embedded.ts";
import { migrate } from "./migrate.ts";
import { removeStaleClusters } from "./stale-test-clusters.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the URL of the test cluster, which is started by the first question. */
    testClusterAddress: string;
  }
}

/** The migrated database that each test file gets a copy of. */
export const TEMPLATE_DATABASE = "placard_template";

/** Nothing in the test cluster outlives the run, so nothing has to survive a power cut. */
const SETTINGS = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "200" };

const FOLDER_PREFIX = "placard-test-database-";

/** Files in memory, where Linux has them: each test file makes some hundreds. */
const MEMORY_FOLDER = "/dev/shm";
/** The cluster with the databases of as many test files as run at a time, and its log, is a tenth of this. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** vitest's global set-up: one Postgres for the whole run, started when the first test file wants it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lender = await lend(startCluster);
  project.provide("testClusterAddress", lender.url);
  return () => lender.close();
}

async function startCluster(): Promise<Lent> {
  const parent = await chooseParent();
  await removeStaleClusters(parent, FOLDER_PREFIX, silent);
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

async function chooseParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    await access(MEMORY_FOLDER, constants.W_OK);
    return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
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
