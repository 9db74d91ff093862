import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { processorTime } from "#libs/domain/moment.ts";
import { ADS, SHORT, workspaceOf } from "../../tests/many-ads.ts";
import { watchPlans } from "../../tests/query-plans.ts";
import { queueAllCharging } from "./charging-queries.ts";

const { pool } = await createTestDatabase();
const TABLES = ["advertisers", "subscriptions", "ads", "tiers", "prices", "workspaces", "invoices"];
const { db, asked, fill, rowsHandled } = watchPlans(pool, TABLES);

it("reads each page of a pass by a few rows for each subscription, whatever comes before it", async () => {
  await fill(workspaceOf(ADS, SHORT));
  asked.length = 0;

  await queueAllCharging(db, processorTime(Date.now()));

  const handled: number[] = [];
  for (const query of asked) handled.push(await rowsHandled(query));
  expect(handled.length).toBeGreaterThan(ADS / 100);
  expect(Math.max(...handled)).toBeLessThan(20 * 100);
});
