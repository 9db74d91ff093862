import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Task } from "./task.ts";
import { type Payloads, TASKS, type TaskName } from "./tasks.ts";

/** The priority of a party's thousandth waiting job, and of all after it. Lower numbers run first. */
const LOWEST_PRIORITY = 1_000;
/** The lowest priority that its own turns give a job: `bringForward` moves it to the front after as many minutes. */
const LOWEST_BY_TURNS = 10;

export interface EnqueueOptions {
  /** When the job is due. Default: now. */
  readonly runAt?: Date;
  /** Milliseconds until it is due, by the database's clock; not beside `runAt`. */
  readonly afterMs?: number;
  /** Whether a waiting job with the same key stays due when it was. Default false. */
  readonly keepsRunAt?: boolean;
}

/** Queues a task; within a transaction it runs only if that is committed. */
export async function enqueue<Name extends TaskName>(
  db: Kysely<Tables>,
  name: Name,
  payload: Payloads[Name],
  { runAt, afterMs, keepsRunAt = false }: EnqueueOptions = {},
): Promise<void> {
  const task: Task<Payloads[Name]> = TASKS[name];
  const queue = task.queue?.(payload) ?? null;
  const key = task.key?.(payload) ?? null;
  const party = task.fairTo?.(payload) ?? null;
  // The job itself does not count: this one replaces or continues it.
  const others = sql`cardinality(array(
    select 1 from graphile_worker.jobs where flags ? ${party} and (key is null or key <> ${key})
    limit ${sql.lit(LOWEST_PRIORITY)}
  ))`;
  // A waiting job keeps its priority when it is queued again. Each run adds one, or a few jobs of many turns would always run
  // before everybody else's second job.
  const priority =
    party === null
      ? sql`null`
      : sql`least(${sql.lit(LOWEST_PRIORITY)}, coalesce((
          select case when locked_at is not null or attempts > 0 then greatest(least(priority + 1, ${sql.lit(LOWEST_BY_TURNS)}), ${others}) else priority end
          from graphile_worker.jobs where key = ${key}
        ), ${others}))`;
  await sql`select graphile_worker.add_job(
    ${name},
    ${JSON.stringify(payload)}::json,
    queue_name => ${queue}::text,
    run_at => coalesce(${runAt ?? null}::timestamptz, now() + make_interval(secs => ${(afterMs ?? 0) / 1000}::float8)),
    max_attempts => ${task.maxAttempts ?? null}::int,
    job_key => ${key}::text,
    priority => ${priority},
    flags => array_remove(array[${party}::text], null),
    job_key_mode => ${keepsRunAt ? "preserve_run_at" : "replace"}
  )`.execute(db);
}

/**
 * Moves each job to the front that has been due for as many minutes as its priority, so that every job runs however many others
 * arrive; a party's thousandth job and later ones stay. Writes a private table of graphile-worker, which offers no call for this.
 */
export async function bringForward(db: Kysely<Tables>): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set priority = 0
    where priority > 0 and priority < ${sql.lit(LOWEST_PRIORITY)} and locked_at is null and attempts < max_attempts
      and run_at <= now() - make_interval(mins => priority)
  `.execute(db);
}
