import { expect, it } from "vitest";
import { createTestDatabase } from "./testing.ts";

const { pool } = await createTestDatabase();

it("refreshes the statistics of tables that lists join after some hundred changes, however large the tables are", async () => {
  const { rows } = await pool.query(
    "select relname from pg_class where reloptions @> array['autovacuum_analyze_scale_factor=0'] order by 1",
  );

  expect(rows.map(({ relname }) => relname)).toEqual([
    "ads",
    "advertisers",
    "charges",
    "invoices",
    "prices",
    "revisions",
    "subscriptions",
  ]);
});
