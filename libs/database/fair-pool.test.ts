import { Kysely, PostgresDialect, sql } from "kysely";
import { expect, it, vi } from "vitest";
import { asParty, FairPool } from "./fair-pool.ts";
import type { Tables } from "./tables.ts";
import { createTestDatabase } from "./testing.ts";

const { pool } = await createTestDatabase();

/** A handle on two connections, and what was done with them. */
function shared() {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new FairPool(pool, 2) }) });
  const begun: string[] = [];
  const hold = (party: string) => {
    const gate = Promise.withResolvers<void>();
    const done = asParty(party, () =>
      db.connection().execute(async (connection) => {
        begun.push(party);
        await gate.promise;
        return await sql<{ one: number }>`select 1 as one`.execute(connection);
      }),
    );
    return { end: gate.resolve, done };
  };
  return { db, begun, hold };
}

it("gives a connection to who has held none before who held them, and leaves the rest of the pool free", async () => {
  const { begun, hold } = shared();
  const busy = Array.from({ length: 6 }, () => hold("busy"));
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  const others = [hold("one"), hold("two")];

  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  expect(begun).toEqual(["busy", "busy"]);
  for (const { end } of [...busy, ...others]) end();
  await Promise.all([...busy, ...others].map(({ done }) => done));
  expect(begun.slice(0, 5)).toEqual(["busy", "busy", "one", "two", "busy"]);
  expect(begun).toHaveLength(8);
});

it("gives a connection back after an error, and can be used without a party", async () => {
  const { db } = shared();
  for (let n = 0; n < 5; n += 1)
    await expect(sql`select nothing`.execute(db)).rejects.toThrow("does not exist");

  const answers = await Promise.all(Array.from({ length: 9 }, () => sql`select 1 as one`.execute(db)));
  expect(answers.map(({ rows }) => rows)).toEqual(Array(9).fill([{ one: 1 }]));
});
