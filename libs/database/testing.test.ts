import { afterAll, expect, it } from "vitest";
import { openDatabase } from "./connection.ts";
import { createTestDatabase, makeDatabase } from "./testing.ts";

const database = await createTestDatabase();
const other = await createTestDatabase();
const leaking = await makeDatabase("");
const leak = openDatabase({ url: leaking.database.url, applicationName: "the leak" });
afterAll(() => leak.close());

it("gives each caller a migrated database of its own", async () => {
  await database.pool.query("create table notes (note text)");

  const { rows } = await other.pool.query(
    "select to_regclass('notes') as notes, to_regclass('ads')::text as ads",
  );

  expect(rows).toEqual([{ notes: null, ads: "ads" }]);
});

it("names who left a connection open, and drops the database all the same", async () => {
  await leak.ping();

  await expect(leaking.drop()).rejects.toThrow("Database connections were left open by: the leak.");

  await expect(leak.ping()).rejects.toThrow();
});
