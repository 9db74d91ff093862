import { EventEmitter } from "node:events";
import { type Runner, type RunnerOptions, run, type WorkerEvents } from "graphile-worker";
import type { Logger } from "pino";
import { keepRunning } from "#libs/async/index.ts";
import type { WorkerLiveness } from "./liveness.ts";
import { describeJob } from "./worker-log.ts";

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
/**
 * Batched (0 ms or more), a rejection when a job ends stops the runner. Not batched (-1, the default), it would end the process:
 * graphile-worker 0.18 waits for neither `completeJob` nor `failJob` (its `worker.ts`).
 */
const BATCH_JOB_ENDS = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/**
 * Runs jobs by `options`, registered with `liveness`. graphile-worker ends a runner if the database is unavailable while a job
 * ends; then another is started, and the job runs again. Rejects if the first cannot be started. `stop` takes no more
 * jobs and waits for the running ones.
 */
export async function keepRunner(
  options: Omit<RunnerOptions, "events" | "preset">,
  liveness: WorkerLiveness,
  logger: Logger,
): Promise<Pick<Runner, "stop">> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function start(): Promise<{ runner: Runner; pools: readonly string[] }> {
    const events: WorkerEvents = new EventEmitter();
    const pools: string[] = [];
    events.on("pool:create", ({ workerPool }) => {
      pools.push(workerPool.id);
      liveness.add(workerPool.id);
    });
    // Nothing retries a job after its last attempt.
    events.on("job:failed", ({ job, error }) => {
      logger.error({ ...describeJob(job), err: error }, "a job has failed permanently");
    });
    return { runner: await run({ ...options, preset: { worker: BATCH_JOB_ENDS }, events }), pools };
  }

  let current: Awaited<ReturnType<typeof start>> | undefined = await start();
  const kept = keepRunning(
    async () => {
      current ??= await start();
      const { runner, pools } = current;
      try {
        if (signal.aborted) await runner.stop();
        await runner.promise;
      } finally {
        for (const pool of pools) liveness.remove(pool);
        current = undefined;
      }
      if (!signal.aborted) throw new Error("graphile-worker ended the runner");
    },
    {
      firstMs: MIN_PAUSE_MS,
      longestMs: MAX_PAUSE_MS,
      signal,
      onFailure: (err) =>
        logger.error({ err }, "the job runner has ended or did not start; starting another"),
    },
  );

  return {
    async stop() {
      stopping.abort();
      // It may have ended already.
      await current?.runner.stop().catch(() => undefined);
      await kept;
    },
  };
}
