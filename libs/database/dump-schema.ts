import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDurably } from "#libs/files/index.ts";
import { openDatabase } from "./connection.ts";
import { startEmbeddedPostgres } from "./embedded/embedded.ts";
import { migrate } from "./migrate.ts";
import { describeSchema } from "./schema-description.ts";
import { describeTables } from "./table-types.ts";

// The program behind `npm run schema`: migrates a database of its own and writes down what came out.
const folder = await mkdtemp(join(tmpdir(), "placard-schema-"));
try {
  const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, logger });
  const database = openDatabase({ url: postgres.url, logger });
  try {
    await migrate(database);
    const write = (name: string, text: string) => writeDurably(join(import.meta.dirname, name), text, 0o644);
    await write("schema.sql", await describeSchema(database.pool));
    await write("tables.ts", await describeTables(database.pool));
  } finally {
    await database.close();
    await postgres.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
