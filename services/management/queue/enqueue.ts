import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Payloads, TASKS, type Task, type TaskName } from "./tasks.ts";

/** Jobs of a lower number are taken first; so far back are all from the thousandth of a party on. */
export const LOWEST_PRIORITY = 1_000;
/** The furthest back that a job is sent by its own turns: it comes forward again in as many minutes. */
const LOWEST_OF_TURNS = 10;

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
  // Without the job itself, which this one replaces or continues: whoever has no other is behind nobody.
  const others = sql`cardinality(array(
    select 1 from graphile_worker.jobs where flags ? ${party} and (key is null or key <> ${key})
    limit ${sql.lit(LOWEST_PRIORITY)}
  ))`;
  // One that waits keeps its place, whatever is queued again. Each run sends it one back, or a few that go on for many turns would come
  // before the second job of everybody else.
  const priority =
    party === null
      ? sql`null`
      : sql`least(${sql.lit(LOWEST_PRIORITY)}, coalesce((
          select case when locked_at is not null or attempts > 0 then greatest(least(priority + 1, ${sql.lit(LOWEST_OF_TURNS)}), ${others}) else priority end
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
