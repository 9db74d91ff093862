import type { DatabaseSync } from "node:sqlite";
import { pageBytesOf } from "./database.ts";

/** Batches deleted, and pages given back to the file system, in one transaction of background work. */
const TRUNCATED_BATCHES = 64;
const RECLAIMED_BYTES = 4 * 1024 * 1024;
/** Free space that stays in the file for the next appends. */
const KEPT_FREE_BYTES = 8 * 1024 * 1024;

/** Deletes committed batches from the log's file, then returns their space to the file system. */
export class Truncation {
  readonly #database: DatabaseSync;
  readonly #pageBytes: number;
  #mayTruncate = true;
  #mayShrink = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#pageBytes = pageBytesOf(database);
  }

  /** More batches are committed. */
  begin(): void {
    this.#mayTruncate = true;
  }

  /** One bounded step. Returns whether there is more to do. */
  step(): boolean {
    if (!this.#mayTruncate) return false;
    const truncated = this.#database
      .prepare(
        `DELETE FROM batches WHERE offset <= min((SELECT committed FROM marks),
           (SELECT min(offset) FROM batches) + ${TRUNCATED_BATCHES - 1})`,
      )
      .run();
    if (Number(truncated.changes) > 0) return true;
    const free = Number(this.#database.prepare("PRAGMA freelist_count").get()?.freelist_count);
    const kept = KEPT_FREE_BYTES / this.#pageBytes;
    if (free <= kept) {
      this.#mayTruncate = false;
      return this.#shrink();
    }
    this.#database.exec(
      `PRAGMA incremental_vacuum(${Math.min(RECLAIMED_BYTES / this.#pageBytes, free - kept)})`,
    );
    this.#mayShrink = true;
    return true;
  }

  /** The file shrinks only at a checkpoint of the write-ahead log. */
  #shrink(): false {
    if (this.#mayShrink) this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#mayShrink = false;
    return false;
  }
}
