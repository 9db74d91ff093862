import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Lent, lend } from "#libs/testing/lend.ts";
import { TEMPORARY_FILES } from "#libs/testing/temporary-files.ts";
import { startEmbeddedClickHouse } from "./embedded.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the URL, account included, of the test ClickHouse, which is started by the first question. */
    testClickHouseAddress: string;
  }
}

/** vitest's global set-up: one ClickHouse for the whole run, started when the first test file wants it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lender = await lend(startServer);
  project.provide("testClickHouseAddress", lender.url);
  return () => lender.close();
}

async function startServer(): Promise<Lent> {
  const dataDir = await mkdtemp(join(TEMPORARY_FILES, "clickhouse-"));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  try {
    const clickhouse = await startEmbeddedClickHouse({ dataDir });
    const address = new URL(clickhouse.url);
    address.username = clickhouse.username;
    address.password = clickhouse.password;
    return {
      address: address.href,
      async close() {
        await clickhouse.close();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
