import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "./connection.ts";
import { startEmbeddedPostgres } from "./embedded/embedded.ts";
import { reasonOf } from "./errors.ts";
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

const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface TestCluster {
  readonly url: string;
  close(): Promise<void>;
}

/** vitest's global set-up: one Postgres for the whole run, started when the first test file wants it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let cluster: Promise<TestCluster> | undefined;
  const server = createServer((_request, response) => {
    cluster ??= startCluster();
    cluster.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(reasonOf(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new Error("The test cluster's address has no port.");
  project.provide("testClusterAddress", `http://127.0.0.1:${address.port}`);

  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    // One that did not start has told the test files already.
    await cluster?.then(
      (started) => started.close(),
      () => {},
    );
  };
}

async function startCluster(): Promise<TestCluster> {
  await removeStaleClusters(tmpdir(), FOLDER_PREFIX, silent);
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
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
    return { url: postgres.url, close };
  } catch (error) {
    await removeFolder();
    throw error;
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
