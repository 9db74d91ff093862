import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
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

it("opens a file whose creation a power cut has interrupted", async () => {
  const folder = await aFolder();
  const [begun, file] = [join(folder, "begun.db"), join(folder, "events.db")];
  const creation = new DatabaseSync(begun);
  // More than the cache holds, so that pages are written before the transaction ends.
  creation.exec(
    "PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE marks (note); INSERT INTO marks VALUES (zeroblob(1e6))",
  );
  for (const ending of ["", "-journal"]) copyFileSync(begun + ending, file + ending);
  creation.close();

  const database = openDatabase(file, 1e9);

  expect(database.prepare("SELECT count(*) AS n FROM batches").get()).toMatchObject({ n: 0 });
  database.close();
});
