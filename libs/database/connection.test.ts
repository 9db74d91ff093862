import { sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "./connection.ts";
import { createTestDatabase } from "./testing.ts";

const database = await createTestDatabase();

async function valueIn(expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(database.db);
  return rows[0]?.value;
}

it("gives integers, decimals, days and times as the values the tables promise", async () => {
  expect(await valueIn("9007199254740991::bigint")).toBe(Number.MAX_SAFE_INTEGER);
  expect(await valueIn("2.5::numeric")).toBe(2.5);
  expect(await valueIn("0.1::float8")).toBe(0.1);
  expect(await valueIn("'2026-11-21'::date")).toBe("2026-11-21");
  expect(await valueIn("'2026-11-21T10:00:00Z'::timestamptz")).toEqual(new Date("2026-11-21T10:00:00Z"));
});

it("refuses an integer that would have to be rounded", async () => {
  await expect(valueIn("9007199254740993::bigint")).rejects.toThrow("9007199254740993 is too large");
});

it("says in one sentence, without the password, that a server does not answer", async () => {
  const nobodyThere = openDatabase({ url: "postgres://someone:hunter2@127.0.0.1:1/shop" });

  const failure = await nobodyThere.ping().catch((error: unknown) => error);
  await nobodyThere.close();

  expect(failure).toMatchObject({
    code: "UNREACHABLE",
    message: "The database at 127.0.0.1:1/shop cannot be used: connect ECONNREFUSED 127.0.0.1:1.",
  });
});

it("refuses a URL of something else without repeating it", () => {
  const open = () => openDatabase({ url: "mysql://someone:hunter2@127.0.0.1/shop" });

  expect(open).toThrow("DATABASE_URL must read postgres://user:password@host:port/database.");
});

it("gives up a statement after the time it was given", async () => {
  const impatient = openDatabase({ url: database.url, statementTimeoutMs: 50 });

  await expect(impatient.pool.query("select pg_sleep(20)")).rejects.toThrow("statement timeout");

  await impatient.close();
});

it("survives connections that break while idle and inside a transaction", async () => {
  const victim = openDatabase({ url: database.url, applicationName: "victim" });
  const endVictims = () =>
    database.pool.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'victim' and pid <> pg_backend_pid()",
    );

  await victim.ping();
  await endVictims();
  const transaction = victim.db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    await endVictims();
    await sql`select 1`.execute(trx);
  });

  await expect(transaction).rejects.toThrow();
  await victim.ping();
  await victim.close();
});
