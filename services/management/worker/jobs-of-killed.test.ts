import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Logger } from "graphile-worker";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "#libs/database/connection.ts";
import { createTestDatabase } from "#libs/database/testing.ts";
import { WorkerLiveness } from "./liveness.ts";
import { keepRunner } from "./runner.ts";

const database = await createTestDatabase();
const WAIT = { timeout: 20_000, interval: 20 };
const LOOK_EVERY_MS = 100;

/** Another process, which holds the job that is queued. */
async function aHolder() {
  const program = join(import.meta.dirname, "..", "tests", "job-holder.ts");
  const holder = spawn(process.execPath, [program, database.url], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    holder.kill("SIGKILL");
  });
  await database.pool.query("select graphile_worker.add_job('held')");
  await once(holder.stdout, "data");
  return holder;
}

/** This process as one that looks for the jobs of others; counts the jobs that it was given. */
async function aWitness() {
  // Connections of its own: they are closed before the test's database is.
  const { pool, close } = openDatabase({ url: database.url });
  const liveness = new WorkerLiveness({
    pool,
    logger: pino({ level: "silent" }),
    checkEveryMs: LOOK_EVERY_MS,
  });
  const done = vi.fn();
  await liveness.open();
  const runner = await keepRunner(
    {
      pgPool: pool,
      noHandleSignals: true,
      crontab: "",
      logger: new Logger(() => () => {}),
      taskList: { held: async () => done() },
      pollInterval: 50,
    },
    liveness,
    pino({ level: "silent" }),
  );
  onTestFinished(async () => {
    await runner.stop();
    await liveness.close();
    await close();
  });
  return done;
}

async function whoHolds(): Promise<(string | null)[]> {
  const { rows } = await database.pool.query("select locked_by from graphile_worker._private_jobs");
  return rows.map(({ locked_by }) => locked_by);
}

it("takes up the job of a process that was killed, and leaves those of the living alone", async () => {
  const holder = await aHolder();
  const [held] = await whoHolds();
  const done = await aWitness();

  // A frozen process lives, however often it is looked for.
  holder.kill("SIGSTOP");
  await setTimeout(LOOK_EVERY_MS * 10);
  expect(await whoHolds()).toEqual([held]);
  expect(done).not.toHaveBeenCalled();

  holder.kill("SIGKILL");
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce(), WAIT);
  await vi.waitFor(async () => expect(await whoHolds()).toEqual([]), WAIT);
});
