import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import { SingleFlight } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { TASKS } from "../queue/tasks.ts";

export interface JobMetricsPorts {
  readonly db: Kysely<Tables>;
  readonly metrics: Registry;
  readonly logger: Logger;
}

interface TaskState {
  readonly task: string;
  /** Due, and not running. */
  readonly waiting: number;
  /** Seconds since the first of these was due; 0 for none. */
  readonly age: number;
  /** Out of attempts. */
  readonly failed: number;
}

/** Registers gauges of the job queue, which read the database when they are scraped; NaN while that is away. */
export function measureJobs({ db, metrics, logger }: JobMetricsPorts): void {
  const reading = new SingleFlight<readonly TaskState[] | null>();
  const read = () =>
    readQueue(db).catch((error: unknown) => {
      logger.warn({ err: error }, "the queue of jobs could not be measured");
      return null;
    });
  const show = (name: string, help: string, sampleOf: (state: TaskState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["task"],
      registers: [metrics],
      async collect() {
        const states = await reading.run("queue", read);
        for (const task of Object.keys(TASKS)) {
          const state = states?.find((one) => one.task === task);
          this.set({ task }, states === null ? Number.NaN : state === undefined ? 0 : sampleOf(state));
        }
      },
    });
  show("placard_jobs_waiting", "Jobs that are due and not running yet", ({ waiting }) => waiting);
  show("placard_jobs_oldest_age_seconds", "How long the oldest due job has waited", ({ age }) => age);
  show(
    "placard_jobs_failed",
    "Jobs that have used up their attempts; nothing repeats them automatically",
    ({ failed }) => failed,
  );
}

async function readQueue(db: Kysely<Tables>): Promise<readonly TaskState[]> {
  const { rows } = await sql<TaskState>`
    select task,
      count(*) filter (where is_due)::int as waiting,
      coalesce(extract(epoch from now() - min(run_at) filter (where is_due)), 0)::float8 as age,
      count(*) filter (where is_failed)::int as failed
    from (
      select identifier as task, run_at,
        attempts < max_attempts and run_at <= now() and locked_at is null as is_due,
        attempts >= max_attempts and locked_at is null as is_failed
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
    ) jobs
    group by task
  `.execute(db);
  return rows;
}
