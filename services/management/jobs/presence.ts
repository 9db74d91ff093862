import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { within } from "#libs/http/index.ts";

/** Tells our advisory locks from anybody else's in the database. */
const LOCK_SPACE = 706_304;
const LOOK_EVERY_MS = 10_000;
const RECONNECT_AFTER_MS = 250;
const CLOSE_WITHIN_MS = 1_000;

/** Runners that hold jobs and whose process is not there: no session of the server has their lock. */
const ABSENT = `
  select locked_by as id from graphile_worker._private_jobs where locked_by is not null
  union
  select locked_by from graphile_worker._private_job_queues where locked_by is not null
  except
  select held.id from (
    select locked_by as id from graphile_worker._private_jobs where locked_by is not null
    union
    select locked_by from graphile_worker._private_job_queues where locked_by is not null
  ) held
  join pg_locks on pg_locks.locktype = 'advisory' and pg_locks.granted and pg_locks.objsubid = 2
    and pg_locks.database = (select oid from pg_database where datname = current_database())
    and pg_locks.classid = ${LOCK_SPACE} and pg_locks.objid = (hashtext(held.id)::bigint & 4294967295)::oid
`;

export interface PresenceOptions {
  /** Whose server it is; the connection is one of its own, which nothing else waits for. */
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** How often it is looked for jobs of processes that are gone, in milliseconds. Default 10,000. */
  readonly lookEveryMs?: number;
}

/**
 * Gives the jobs of a killed process to those that live. graphile-worker would keep them locked for four hours, as it cannot
 * tell a dead runner from a slow one. Postgres can: a session's advisory locks end with it. So each process holds a lock
 * named for each of its runners, and looks regularly whose locks are gone. A runner has to be missed in two looks in a row,
 * since a living process needs a moment to come back after the server was restarted.
 */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #pool: pg.Pool;
  readonly #runners = new Set<string>();
  readonly #stopping = new AbortController();
  #client: pg.PoolClient | undefined;
  /** Settles when all that was asked on the connection is answered: it takes one question at a time. */
  #asked: Promise<unknown> = Promise.resolve();
  #missed: ReadonlySet<string> = new Set();
  #kept: Promise<void> = Promise.resolve();

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({ ...options.pool.options, max: 1, application_name: "placard jobs" });
    // A broken connection also fails what runs on it, and that is looked at.
    this.#pool.on("error", () => undefined);
  }

  /** Resolves once the process can be seen, or right away where the server is away. */
  async open(): Promise<void> {
    await this.#connect().catch(() => undefined);
    this.#kept = this.#keep();
  }

  /** From now on the runner counts as alive for as long as this process does. */
  add(runner: string): void {
    this.#runners.add(runner);
    this.#tell("select pg_advisory_lock_shared($1, hashtext($2))", runner);
  }

  /** The runner is gone; what it holds is for others. */
  remove(runner: string): void {
    if (!this.#runners.delete(runner)) return;
    this.#tell("select pg_advisory_unlock_shared($1, hashtext($2))", runner);
  }

  /** Ends with the process's locks, or after a second in which the server says nothing. */
  async close(): Promise<void> {
    this.#stopping.abort();
    const end = async () => {
      await this.#kept;
      this.#client?.release(true);
      this.#client = undefined;
      await this.#pool.end();
    };
    await within(CLOSE_WITHIN_MS, "leaving the jobs", end()).catch(() => undefined);
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    client.on("error", () => undefined);
    try {
      // A machine that vanishes is noticed by the server in half a minute, not in two hours.
      await client.query(
        "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4",
      );
      // From here on a runner that comes or goes is told of by itself.
      this.#client = client;
      this.#asked = Promise.resolve();
      await this.#ask(
        client,
        "select pg_advisory_lock_shared($1, hashtext(id)) from unnest($2::text[]) as id",
        [LOCK_SPACE, [...this.#runners]],
      );
    } catch (error) {
      this.#client = undefined;
      client.release(true);
      throw error;
    }
    return client;
  }

  /** A failure is one of the connection, which the next look finds. */
  #tell(statement: string, runner: string): void {
    if (this.#client === undefined) return;
    this.#ask(this.#client, statement, [LOCK_SPACE, runner]).catch(() => undefined);
  }

  #ask<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    statement: string,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const answer = this.#asked.then(() => client.query<Row>(statement, values?.slice()));
    this.#asked = answer.catch(() => undefined);
    return answer;
  }

  async #keep(): Promise<void> {
    const { lookEveryMs = LOOK_EVERY_MS } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const client = this.#client ?? (await this.#connect());
        await this.#look(client);
        await this.#wait(lookEveryMs, client);
      } catch {
        // The database's own connections tell that it is away.
        this.#client?.release(true);
        this.#client = undefined;
        this.#missed = new Set();
        await pause(RECONNECT_AFTER_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Rejects when the connection breaks. */
  async #wait(ms: number, client: pg.PoolClient): Promise<void> {
    const { promise: broken, reject } = Promise.withResolvers<never>();
    const onEnd = () => reject(new Error("the connection has ended"));
    client.once("end", onEnd);
    const waited = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, waited.signal]);
    try {
      await Promise.race([broken, pause(ms, undefined, { signal }).catch(() => undefined)]);
    } finally {
      waited.abort();
      client.off("end", onEnd);
    }
  }

  async #look(client: pg.PoolClient): Promise<void> {
    const { rows } = await this.#ask<{ id: string }>(client, ABSENT);
    const absent = rows.map(({ id }) => id);
    const gone = absent.filter((id) => this.#missed.has(id));
    this.#missed = new Set(absent);
    if (gone.length === 0) return;
    await this.#ask(client, "select graphile_worker.force_unlock_workers($1)", [gone]);
    this.#options.logger.warn({ runners: gone }, "jobs of a process that is gone are taken up again");
  }
}
