import { expect, it, onTestFinished, vi } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { createLogger } from "#libs/http/logger.ts";
import { WorkerLiveness } from "./liveness.ts";
import { keepRunner } from "./runner.ts";
import { workerLogger } from "./worker-log.ts";

const database = await createTestDatabase();

it("tells of a failed job without what it carries", async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
  const { pool } = database;
  const liveness = new WorkerLiveness({ pool, logger });
  await liveness.open();
  const runner = await keepRunner(
    {
      pgPool: pool,
      noHandleSignals: true,
      crontab: "",
      logger: workerLogger(logger),
      taskList: {
        letter() {
          throw Object.assign(new Error('invalid input syntax for type uuid: "grace@example.com"'), {
            severity: "ERROR",
            code: "22P02",
          });
        },
      },
    },
    liveness,
    logger,
  );
  onTestFinished(async () => {
    await runner.stop();
    await liveness.close();
  });

  await pool.query("select graphile_worker.add_job('letter', $1, job_key := 'letter:1', max_attempts := 1)", [
    { to: "grace@example.com", text: "https://ads.example/reset-password#token=secret" },
  ]);
  await pool.query(
    "select graphile_worker.add_job('letter', '{}', job_key := 'letter:grace@example.com', max_attempts := 1)",
  );

  await vi.waitFor(() => expect(lines).toHaveLength(4), 20_000);
  for (const line of lines) expect(line).toMatchObject({ level: 50, job: "letter", attempts: 1 });
  expect(lines.map(({ msg }) => msg).sort()).toEqual([
    "a job has failed",
    "a job has failed",
    "a job has failed permanently",
    "a job has failed permanently",
  ]);
  expect(lines.filter(({ jobKey }) => jobKey === "letter:1")).toHaveLength(2);
  expect(lines[0]?.err).toMatchObject({ code: "22P02" });
  const everything = JSON.stringify(lines);
  expect(everything).not.toContain("grace@example.com");
  expect(everything).not.toContain("token=secret");
});
