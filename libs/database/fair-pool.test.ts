import { Kysely, PostgresDialect, sql } from "kysely";
import { expect, it, vi } from "vitest";
import { asParty, FairPool } from "./fair-pool.ts";
import type { Tables } from "./tables.ts";
import { createTestDatabase } from "./testing.ts";

const { pool } = await createTestDatabase();
/** New connections take their time while other tests run. */
const WITHIN = { timeout: 30_000 };

/** A handle on that many connections, and what was done with them. */
function shared(connections: number) {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new FairPool(pool, connections) }) });
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
  const { db, begun, hold } = shared(1);
  // Much more than the others wait less than it does.
  await asParty("busy", () => sql`select pg_sleep(2)`.execute(db));
  const busy = Array.from({ length: 6 }, () => hold("busy"));
  await vi.waitFor(() => expect(begun).toHaveLength(1), WITHIN);
  const others = [hold("one"), hold("two")];

  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  expect(begun).toEqual(["busy"]);
  for (const { end } of [...busy, ...others]) end();
  await Promise.all([...busy, ...others].map(({ done }) => done));
  expect(begun.slice(0, 4)).toEqual(["busy", "one", "two", "busy"]);
  expect(begun).toHaveLength(8);
});

it("leaves half of the connections to others while one holds as many as it gets, and some if two do", async () => {
  const { begun, hold } = shared(8);
  const busy = Array.from({ length: 6 }, () => hold("busy"));
  await vi.waitFor(() => expect(begun).toHaveLength(4), WITHIN);
  const also = Array.from({ length: 6 }, () => hold("also"));
  await vi.waitFor(() => expect(begun).toHaveLength(6), WITHIN);
  const others = ["one", "two"].map(hold);

  await vi.waitFor(() => expect(begun.slice(4).toSorted()).toEqual(["also", "also", "one", "two"]), WITHIN);
  for (const { end } of [...busy, ...also, ...others]) end();
  await Promise.all([...busy, ...also, ...others].map(({ done }) => done));
  expect(begun).toHaveLength(14);
});

it("gives up after 10 seconds without a connection, and has it for the next who asks", async () => {
  const fair = new FairPool(pool, 1);
  const first = await asParty("one", () => fair.connect());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const refused = expect(asParty("two", () => fair.connect())).rejects.toThrow("timeout exceeded");
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await refused;

  first.release();
  const next = await asParty("three", () => fair.connect());
  next.release();
});

it("gives a connection back after an error, and can be used without a party", async () => {
  const { db } = shared(2);
  for (let n = 0; n < 5; n += 1)
    await expect(sql`select nothing`.execute(db)).rejects.toThrow("does not exist");

  const answers = await Promise.all(Array.from({ length: 9 }, () => sql`select 1 as one`.execute(db)));
  expect(answers.map(({ rows }) => rows)).toEqual(Array(9).fill([{ one: 1 }]));
});
