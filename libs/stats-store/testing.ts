import { randomBytes } from "node:crypto";
import { createClient } from "@clickhouse/client";
import { afterAll, inject } from "vitest";
import { borrow } from "#libs/testing/lend.ts";
import type { StatsStore } from "./port.ts";
import { createStatsStore } from "./stats-store.ts";

/** So that the events of a test with fixed dates are not too old one day. */
const TEN_YEARS = 3650;

/**
 * A stats store with its tables in a database of its own, for one test file; dropped after it. Call it at the top of the
 * file. The ClickHouse below is shared, so a test that stops or kills one starts its own.
 */
export async function createTestStatsStore(): Promise<StatsStore> {
  const { origin: url, username, password } = new URL(await borrow(inject("testClickHouseAddress")));
  const database = `test_${randomBytes(8).toString("hex")}`;
  const store = createStatsStore({ url, username, password, database, splitRetentionDays: TEN_YEARS });
  afterAll(async () => {
    await store.close();
    const admin = createClient({ url, username, password });
    try {
      await admin.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
    } finally {
      await admin.close();
    }
  });
  await store.migrate();
  return store;
}
