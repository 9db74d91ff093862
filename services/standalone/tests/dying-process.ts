// Loaded before the product (`node --import`): ends it by SIGKILL exactly at a moment of its event log, which the file
// DIE_AT_FILE names. Each thread of the process loads it, so the one that writes the log as well.
import { readFileSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { processEnvironment } from "#libs/config/environment.ts";
import type { DyingMoment } from "./dying-moments.ts";

const file = processEnvironment().DIE_AT_FILE ?? "";
/** Connections whose transaction has appended a batch. */
const appending = new WeakSet<DatabaseSync>();

function dieAt(moment: DyingMoment): void {
  try {
    if (readFileSync(file, "utf8") !== moment) return;
  } catch {
    return;
  }
  // The next life is to continue.
  rmSync(file);
  process.kill(process.pid, "SIGKILL");
}

function beforeRuns(statement: StatementSync, act: () => void): StatementSync {
  const { run } = statement;
  statement.run = new Proxy(run, {
    apply(target, self, values) {
      act();
      return Reflect.apply(target, self, values);
    },
  });
  return statement;
}

const { prepare, exec } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = new Proxy(prepare, {
  apply(target, database: DatabaseSync, given: [string]) {
    const statement = Reflect.apply(target, database, given);
    const [sql] = given;
    if (sql.startsWith("INSERT INTO batches")) return beforeRuns(statement, () => appending.add(database));
    if (sql.startsWith("UPDATE marks SET intent_first")) return beforeRuns(statement, () => dieAt("read"));
    if (sql.startsWith("UPDATE marks SET committed")) return beforeRuns(statement, () => dieAt("inserted"));
    return statement;
  },
});
DatabaseSync.prototype.exec = new Proxy(exec, {
  apply(target, database: DatabaseSync, given: [string]) {
    const isAppend = given[0] === "COMMIT" && appending.delete(database);
    if (isAppend) dieAt("judged");
    Reflect.apply(target, database, given);
    if (isAppend) dieAt("appended");
  },
});
