import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Session } from "chdb";
import { syncFile, syncFolder } from "#libs/files/index.ts";
import { deduplicationLogs } from "./deduplication-log.ts";
import { noteConfirmed } from "./unconfirmed-parts.ts";

/** Statements that leave nothing on the disk. */
const READS = /^\s*(?:SELECT|WITH|SHOW|DESCRIBE|DESC|EXISTS|EXPLAIN|USE)\b/i;

const TABLES = `SELECT DISTINCT arrayJoin(data_paths) AS path FROM system.tables
  WHERE database = currentDatabase() AND endsWith(engine, 'MergeTree')`;
const METADATA =
  "SELECT DISTINCT metadata_path AS path FROM system.tables WHERE database = currentDatabase()";

/**
 * Syncs files that the engine writes without a sync: the names of parts and of tables, and the tokens of inserts. Each call
 * resolves once the statement may be answered.
 */
export interface DurableStatements {
  /** Inserts rows by `work`, on a session that has the database selected. One insert at a time. */
  insert<T>(session: Session, database: string, work: () => Promise<T>): Promise<T>;
  /** After any other statement on such a session. */
  finish(session: Session, database: string, sql: string): Promise<void>;
}

/** For the data folder of an open engine. */
export function createDurableStatements(dataDir: string): DurableStatements {
  let last: Promise<unknown> = Promise.resolve();
  const tablesOf = new Map<string, string[]>();

  /** One after the other, so that no half of an insert is recorded as confirmed. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function tables(session: Session, database: string): Promise<string[]> {
    const found = tablesOf.get(database) ?? (await pathsOf(session, TABLES));
    tablesOf.set(database, found);
    return found;
  }

  return {
    insert: (session, database, work) =>
      inTurn(async () => {
        const result = await work();
        await Promise.all((await tables(session, database)).map(syncTable));
        return result;
      }),
    async finish(session, database, sql) {
      if (READS.test(sql)) return;
      tablesOf.clear();
      await inTurn(async () => {
        const made = await tables(session, database);
        const described = (await pathsOf(session, METADATA)).map((path) => dirname(join(dataDir, path)));
        const parents = [...made.map((folder) => dirname(folder)), ...described.map((path) => dirname(path))];
        const own = [join(dataDir, "metadata"), join(dataDir, "store"), dataDir];
        await Promise.all(made.map(syncTable));
        for (const folder of new Set([...described, ...parents, ...own])) {
          if (existsSync(folder)) await syncFolder(folder);
        }
        await noteConfirmed(dataDir);
      });
    },
  };
}

async function pathsOf(session: Session, query: string): Promise<string[]> {
  const result = await session.queryAsync(query, { format: "TabSeparated" });
  return Buffer.from(result.bytes()).toString("utf8").split("\n").slice(0, -1);
}

async function syncTable(folder: string): Promise<void> {
  const tokens = join(folder, "deduplication_logs");
  if (existsSync(tokens)) {
    // The log before the newest, as it may just have been begun.
    await Promise.all(deduplicationLogs(folder).slice(-2).map(syncFile));
    await syncFolder(tokens);
  }
  if (existsSync(folder)) await syncFolder(folder);
}
