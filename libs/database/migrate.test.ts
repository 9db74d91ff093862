import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { makeDatabase, type TestDatabase } from "./testing.ts";

const FIRST = "create table notes (id int primary key);";
const SECOND = "alter table notes add column note text;";

let database: TestDatabase;
let drop: () => Promise<void>;
let folder: string;

beforeEach(async () => {
  ({ database, drop } = await makeDatabase(""));
  folder = await aFolder();
});

afterEach(() => drop());

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
}

async function applied(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select name from schema_migrations order by name",
  );
  return rows.map(({ name }) => name);
}

it("applies what is new, in order, and nothing twice, also to the tables of the job queue", async () => {
  await write({ "0001_first.sql": FIRST });
  await migrate(database, { folder });
  await write({ "0002_second.sql": SECOND });

  await migrate(database, { folder });
  await migrate(database, { folder });

  expect(await applied()).toEqual(["0001_first.sql", "0002_second.sql"]);
  await database.pool.query("select note from notes");
  await database.pool.query("select * from graphile_worker.jobs");
});

it("lets several processes and several connections start at once", async () => {
  await write({ "0001_first.sql": `${FIRST} select pg_sleep(0.2);`, "0002_second.sql": SECOND });
  const program = `
    import { openDatabase } from "#libs/database/connection.ts";
    import { migrate } from "#libs/database/migrate.ts";
    const database = openDatabase({ url: process.argv[1] });
    await migrate(database, { folder: process.argv[2] });
    await database.close();
  `;
  const inProcess = async () => {
    const child = spawn(
      process.execPath,
      ["--input-type=module", "-e", program, "--", database.url, folder],
      {
        stdio: "inherit",
      },
    );
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  };
  const overConnection = async () => {
    const another = openDatabase({ url: database.url, maxConnections: 1 });
    await migrate(another, { folder });
    await another.close();
  };

  await Promise.all([inProcess(), inProcess(), overConnection(), overConnection(), overConnection()]);

  expect(await applied()).toEqual(["0001_first.sql", "0002_second.sql"]);
});

it("rolls a failing file back whole, keeps those before it, and names the line", async () => {
  await write({
    "0001_first.sql": FIRST,
    "0002_second.sql": "create table drafts (id int);\nselect nonsense;",
  });

  await expect(migrate(database, { folder })).rejects.toThrow(
    'The migration 0002_second.sql, line 2, failed and was rolled back: column "nonsense" does not exist.',
  );

  expect(await applied()).toEqual(["0001_first.sql"]);
  expect((await database.pool.query("select to_regclass('drafts') as drafts")).rows).toEqual([
    { drafts: null },
  ]);
});

it("refuses a file that was edited after it had been applied, and takes other line ends for no edit", async () => {
  await write({ "0001_first.sql": `${FIRST}\n` });
  await migrate(database, { folder });

  await write({ "0001_first.sql": `${FIRST}\r\n` });
  await migrate(database, { folder });
  await write({ "0001_first.sql": `${FIRST} -- edited` });

  await expect(migrate(database, { folder })).rejects.toThrow(
    "The migration 0001_first.sql was edited after it had been applied.",
  );
});

it("refuses a database that is newer than the program", async () => {
  await write({ "0001_first.sql": FIRST, "0002_second.sql": SECOND });
  await migrate(database, { folder });
  await rm(join(folder, "0002_second.sql"));

  await expect(migrate(database, { folder })).rejects.toThrow(
    "The database is newer than this program: 0002_second.sql was applied to it and is not known here.",
  );
});

it("accepts a newer database for a service that runs beside a newer release, and still no other file", async () => {
  await write({ "0001_first.sql": FIRST, "0002_second.sql": SECOND });
  await migrate(database, { folder });
  await rm(join(folder, "0002_second.sql"));

  await migrate(database, { folder, acceptNewer: true });

  expect(await applied()).toEqual(["0001_first.sql", "0002_second.sql"]);
  await write({ "0001_first.sql": `${FIRST} -- edited` });
  await expect(migrate(database, { folder, acceptNewer: true })).rejects.toThrow(
    "The migration 0001_first.sql was edited after it had been applied.",
  );
});

it("refuses files that were taken out or put in between what is applied", async () => {
  await write({ "0001_first.sql": FIRST, "0003_third.sql": SECOND });
  await migrate(database, { folder });

  await write({ "0002_second.sql": "select 1;" });
  await expect(migrate(database, { folder })).rejects.toThrow(
    "The migration 0002_second.sql is numbered before 0003_third.sql, which is applied already; number it last.",
  );
  await rm(join(folder, "0002_second.sql"));
  await rm(join(folder, "0001_first.sql"));

  await expect(migrate(database, { folder })).rejects.toThrow(
    "The migration 0001_first.sql was applied to the database and is missing here.",
  );
});

it("refuses names that cannot be put in order", async () => {
  await write({ "0001_first.sql": FIRST, "0001_second.sql": SECOND });
  await expect(migrate(database, { folder })).rejects.toThrow("Two migrations have the same number.");

  await write({ "second.sql": SECOND });

  await expect(migrate(database, { folder })).rejects.toThrow(
    "second.sql must be named like 0001_initial.sql.",
  );
});
