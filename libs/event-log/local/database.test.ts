import { join } from "node:path";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { inTransaction, openDatabase, sqliteCode } from "./database.ts";

it("waits for the disk at every commit and can give space back, also when the file is opened again", async () => {
  const file = join(await aFolder(), "events.db");
  openDatabase(file, 1e9).close();

  const database = openDatabase(file, 1e9);
  const settings = ["journal_mode", "synchronous", "auto_vacuum"].map(
    (name) => database.prepare(`PRAGMA ${name}`).get()?.[name],
  );
  database.close();

  const [fullSync, incremental] = [2, 2];
  expect(settings).toEqual(["wal", fullSync, incremental]);
});

it("undoes a transaction that fails and tells SQLite's own code from other errors", () => {
  const database = openDatabase(":memory:", 1e9);
  let failure: unknown;

  try {
    inTransaction(database, () => {
      database.exec("UPDATE marks SET epoch = 7");
      database.exec("INSERT INTO marks (partition, incarnation) VALUES (0, 'another')");
    });
  } catch (error) {
    failure = error;
  }
  const epoch = database.prepare("SELECT epoch FROM marks").get()?.epoch;
  database.close();

  const constraint = 19;
  expect(sqliteCode(failure)).toBe(constraint);
  expect(sqliteCode(new Error("other"))).toBeNull();
  expect(epoch).toBe(0);
});
