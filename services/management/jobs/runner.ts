import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Runner, type RunnerOptions, run, type WorkerEvents } from "graphile-worker";
import type { Logger } from "pino";
import type { Presence } from "./presence.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export interface KeptRunner {
  /** Stops taking jobs and waits for those under way. */
  stop(): Promise<void>;
}

/**
 * Runs jobs by `options`, seen by `presence`. graphile-worker gives a runner up when the database is away for long just as
 * a job ends; another is then started in its place. Rejects when the first cannot be started.
 */
export async function keepRunner(
  options: Omit<RunnerOptions, "events">,
  presence: Presence,
  logger: Logger,
): Promise<KeptRunner> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function start(): Promise<{ runner: Runner; pools: readonly string[] }> {
    const events: WorkerEvents = new EventEmitter();
    const pools: string[] = [];
    events.on("pool:create", ({ workerPool }) => {
      pools.push(workerPool.id);
      presence.add(workerPool.id);
    });
    // A job that has had its last attempt waits for a person.
    events.on("job:failed", ({ job, error }) => {
      const { task_identifier: task, key, attempts } = job;
      logger.error({ job: task, key, attempts, err: error }, "a job has failed for good");
    });
    return { runner: await run({ ...options, events }), pools };
  }

  let current = await start();
  const kept = keep();

  async function keep(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const failure = await current.runner.promise.then(
        () => undefined,
        (error: unknown) => error,
      );
      for (const pool of current.pools) presence.remove(pool);
      if (signal.aborted) return;
      if (performance.now() - startedAt > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      logger.error({ err: failure, pauseMs }, "the runner of jobs has ended; another takes its place");
      const next = await restart(pauseMs);
      if (next === undefined) return;
      current = next;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  async function restart(firstPauseMs: number): Promise<Awaited<ReturnType<typeof start>> | undefined> {
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return undefined;
      try {
        return await start();
      } catch (error) {
        logger.warn({ err: error }, "a runner of jobs cannot be started");
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
    return undefined;
  }

  return {
    async stop() {
      stopping.abort();
      // It may have ended by itself already.
      await current.runner.stop().catch(() => undefined);
      await kept;
    },
  };
}
