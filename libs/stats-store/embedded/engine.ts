import type { Session } from "chdb";
import { ClickHouseException } from "./exception.ts";

/** Sessions of chdb, each of which runs one query at a time. Four reports take two each, and two are left. */
const SESSIONS = 10;

/** Statements have their parameters as constants, and long lists among them. ClickHouse itself takes 256 KiB, and parameters besides. */
const LONGEST_STATEMENT = 64 * 1024 * 1024;

/** Requests that may wait for a session; more are refused, as ClickHouse does. */
const WAITING = 128;

/** The embedded engine with its data folder, open. */
export interface Engine {
  /**
   * Runs `work` alone on a session that has the database selected. Rejects with the engine's error, or with
   * `TOO_MANY_SIMULTANEOUS_QUERIES` when too many wait.
   */
  withSession<Result>(database: string, work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Refuses new work, waits for running work, and releases the data folder. */
  close(): Promise<void>;
}

interface Slot {
  session: Session;
  /** Null before the first work. */
  database: string | null;
}

/** Opens the folder, which no other process may have open. Throws if that fails. */
export function openEngine(open: () => Session): Engine {
  const slots = Array.from({ length: SESSIONS }, (): Slot => ({ session: open(), database: null }));
  const free = [...slots];
  const waiting: Array<(slot: Slot | null) => void> = [];
  let closing = false;

  async function nextFree(): Promise<Slot | null> {
    return free.pop() ?? new Promise<Slot | null>((resolve) => waiting.push(resolve));
  }

  async function take(): Promise<Slot> {
    if (free.length === 0 && waiting.length >= WAITING) {
      throw new ClickHouseException(
        202,
        "TOO_MANY_SIMULTANEOUS_QUERIES",
        "Too many queries are waiting",
        503,
      );
    }
    const slot = closing ? null : await nextFree();
    if (slot === null) throw new ClickHouseException(236, "ABORTED", "The server is shutting down", 503);
    return slot;
  }

  function giveBack(slot: Slot): void {
    const next = waiting.shift();
    if (next === undefined) free.push(slot);
    else next(slot);
  }

  /** What a query had answered before it failed, chdb would put in front of the session's next answer. */
  function renew(slot: Slot): void {
    slot.session.close();
    slot.session = open();
    slot.database = null;
  }

  return {
    async withSession(database, work) {
      const slot = await take();
      try {
        if (slot.database === null)
          await slot.session.queryAsync(`SET max_query_size = ${LONGEST_STATEMENT}`);
        if (slot.database !== database) {
          await slot.session.queryAsync(`USE ${quoteIdentifier(database)}`);
          slot.database = database;
        }
        return await work(slot.session);
      } catch (error) {
        renew(slot);
        throw error;
      } finally {
        giveBack(slot);
      }
    },
    async close() {
      closing = true;
      for (const refuse of waiting.splice(0)) refuse(null);
      await Promise.all(slots.map(nextFree));
      for (const { session } of slots) session.close();
    },
  };
}

function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}
