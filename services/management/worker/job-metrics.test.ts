import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { measureJobs } from "./job-metrics.ts";

const database = await createTestDatabase();

it("tells of each task what is due, since when, and what has used up its attempts", async () => {
  const metrics = new Registry();
  measureJobs({ db: database.db, metrics, logger: pino({ level: "silent" }) });
  const add = (task: string, minutesAgo: number) =>
    database.pool.query(
      "select graphile_worker.add_job($1, '{}'::json, run_at := now() - $2 * interval '1 minute')",
      [task, minutesAgo],
    );
  await add("favicon", 20);
  await add("favicon", 5);
  await add("favicon", -60);
  await add("digest", 1);
  await database.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'digest')`,
  );

  const text = await metrics.metrics();

  expect(text).toContain('placard_jobs_waiting{task="favicon"} 2');
  expect(text).toMatch(/^placard_jobs_oldest_age_seconds\{task="favicon"\} 1[12]\d\d/m);
  expect(text).toContain('placard_jobs_waiting{task="digest"} 0');
  expect(text).toContain('placard_jobs_failed{task="digest"} 1');
  expect(text).toContain('placard_jobs_failed{task="mail"} 0');
});
