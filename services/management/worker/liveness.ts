import pg from "pg";
import type { Logger } from "pino";
import { pause, within } from "#libs/async/index.ts";

/** Separates our advisory locks from all others in the database. */
const LOCK_SPACE = 706_304;
const CHECK_EVERY_MS = 10_000;
const RECONNECT_AFTER_MS = 250;
const CLOSE_WITHIN_MS = 1_000;

/** Runners that hold jobs although no session of the server holds their lock: their process is dead. */
const DEAD_RUNNERS = `
  select held.id from (
    select locked_by as id from graphile_worker._private_jobs where locked_by is not null
    union
    select locked_by from graphile_worker._private_job_queues where locked_by is not null
  ) held
  where not exists (
    select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${LOCK_SPACE} and objid = (hashtext(held.id)::bigint & 4294967295)::oid
  )
`;

export interface LivenessOptions {
  /** Names the server. Liveness opens a connection of its own there, so that it never waits for a free one. */
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Milliseconds between checks for jobs of dead processes. Default 10,000. */
  readonly checkEveryMs?: number;
}

/**
 * Releases the jobs of a killed process to the living ones. graphile-worker would keep them locked for four hours, because
 * it cannot distinguish a dead runner from a slow one. Postgres can: a session's advisory locks end with it. So each process
 * has a lock named for each of its runners, and regularly checks which locks are gone. A runner counts as dead after two
 * checks in a row, because a living process needs a moment to reconnect after a restart of the server.
 */
export class WorkerLiveness {
  readonly #options: LivenessOptions;
  readonly #pool: pg.Pool;
  readonly #runners = new Set<string>();
  readonly #stopping = new AbortController();
  #client: pg.PoolClient | undefined;
  /** Settles after the last statement on the connection, which takes one at a time. */
  #lastStatement: Promise<unknown> = Promise.resolve();
  #missing: ReadonlySet<string> = new Set();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({ ...options.pool.options, max: 1, application_name: "placard jobs" });
    // A broken connection also fails the statement that runs on it, which is handled.
    this.#pool.on("error", () => undefined);
  }

  /** Resolves once the process counts as alive, or immediately if the server is unavailable. */
  async open(): Promise<void> {
    await this.#connect().catch(() => undefined);
    this.#loop = this.#run();
  }

  /** From now on the runner counts as alive while this process lives. */
  add(runner: string): void {
    this.#runners.add(runner);
    this.#send("select pg_advisory_lock_shared($1, hashtext($2))", runner);
  }

  /** The runner has stopped; others take its jobs. */
  remove(runner: string): void {
    if (!this.#runners.delete(runner)) return;
    this.#send("select pg_advisory_unlock_shared($1, hashtext($2))", runner);
  }

  /** Releases the process's locks; gives up after a second without an answer. */
  async close(): Promise<void> {
    this.#stopping.abort();
    const end = async () => {
      await this.#loop;
      this.#client?.release(true);
      this.#client = undefined;
      await this.#pool.end();
    };
    await within(CLOSE_WITHIN_MS, "releasing the worker locks", end()).catch(() => undefined);
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    client.on("error", () => undefined);
    try {
      // The server notices a vanished machine within half a minute instead of two hours.
      await client.query(
        "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4",
      );
      // From here on `add` and `remove` send each runner.
      this.#client = client;
      this.#lastStatement = Promise.resolve();
      await this.#query(
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

  /** A failure means that the connection is broken, which the next check finds. */
  #send(statement: string, runner: string): void {
    if (this.#client === undefined) return;
    this.#query(this.#client, statement, [LOCK_SPACE, runner]).catch(() => undefined);
  }

  #query<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    statement: string,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const answer = this.#lastStatement.then(() => client.query<Row>(statement, values?.slice()));
    this.#lastStatement = answer.catch(() => undefined);
    return answer;
  }

  async #run(): Promise<void> {
    const { checkEveryMs = CHECK_EVERY_MS } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const client = this.#client ?? (await this.#connect());
        await this.#check(client);
        await this.#wait(checkEveryMs, client);
      } catch {
        // The service's own connections report that the database is unavailable.
        this.#client?.release(true);
        this.#client = undefined;
        this.#missing = new Set();
        await pause(RECONNECT_AFTER_MS, signal);
      }
    }
  }

  /** Rejects when the connection breaks. */
  async #wait(ms: number, client: pg.PoolClient): Promise<void> {
    const broken = new AbortController();
    const onEnd = () => broken.abort(new Error("the connection has ended"));
    client.once("end", onEnd);
    await pause(ms, AbortSignal.any([this.#stopping.signal, broken.signal]));
    client.off("end", onEnd);
    broken.signal.throwIfAborted();
  }

  async #check(client: pg.PoolClient): Promise<void> {
    const { rows } = await this.#query<{ id: string }>(client, DEAD_RUNNERS);
    const dead = rows.map(({ id }) => id);
    const gone = dead.filter((id) => this.#missing.has(id));
    this.#missing = new Set(dead);
    if (gone.length === 0) return;
    await this.#query(client, "select graphile_worker.force_unlock_workers($1)", [gone]);
    this.#options.logger.warn({ runners: gone }, "released the jobs of a dead process");
  }
}
