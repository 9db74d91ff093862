import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, inject } from "vitest";
import { borrow } from "#libs/testing/lend.ts";
import { type Database, openDatabase } from "./connection.ts";
import { databaseUrl, TEMPLATE_DATABASE } from "./testing-setup.ts";

/** The same number as management: its jobs take up to seventeen, and tests hold some. */
const CONNECTIONS = 24;

/** How long the server may take to notice that a connection was ended. */
const GOODBYE_MS = 1_500;

export interface TestDatabase extends Database {
  /** A test file may open more connections with it, and has to close them. */
  readonly url: string;
}

/**
 * A migrated database for one test file, dropped after it. Call it at the top of the file:
 * `const database = await createTestDatabase();`. The file fails when it leaves connections of its own open.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { database, drop } = await makeDatabase(`template ${TEMPLATE_DATABASE} strategy file_copy`);
  afterAll(drop);
  return database;
}

/** As `createTestDatabase`, without any table: for tests of migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { database, drop } = await makeDatabase("");
  afterAll(drop);
  return database;
}

/** `drop` removes the database in any case, and rejects when connections besides its own were open. */
export async function makeDatabase(
  clause: string,
): Promise<{ database: TestDatabase; drop: () => Promise<void> }> {
  const clusterUrl = await borrow(inject("testClusterAddress"));
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(clusterUrl, (admin) => admin.pool.query(`create database ${name} ${clause}`));
  const url = databaseUrl(clusterUrl, name);
  const database = openDatabase({ url, applicationName: name, maxConnections: CONNECTIONS });
  const drop = async () => {
    await database.close();
    await asAdmin(clusterUrl, (admin) => dropDatabase(admin, name));
  };
  return { database: { ...database, url }, drop };
}

async function asAdmin(clusterUrl: string, act: (admin: Database) => Promise<unknown>): Promise<void> {
  const admin = openDatabase({ url: clusterUrl, maxConnections: 1 });
  try {
    await act(admin);
  } finally {
    await admin.close();
  }
}

async function dropDatabase(admin: Database, name: string): Promise<void> {
  const left = await connectionsLeft(admin, name);
  await admin.pool.query(`drop database ${name} with (force)`);
  if (left.length > 0) throw new Error(`Database connections were left open by: ${left.join(", ")}.`);
}

async function connectionsLeft(admin: Database, name: string): Promise<string[]> {
  for (let waited = 0; ; waited += 20) {
    const { rows } = await admin.pool.query<{ application_name: string }>(
      "select application_name from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [name],
    );
    if (rows.length === 0 || waited >= GOODBYE_MS)
      return rows.map((row) => row.application_name || "a connection");
    await delay(20);
  }
}
