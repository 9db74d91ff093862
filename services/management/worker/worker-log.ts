import { Logger as WorkerLogger } from "graphile-worker";
import type { Logger } from "pino";
import { z } from "zod";

/** What the log may say about a job. */
const knownJob = z.object({
  task_identifier: z.string(),
  // Typed as text, and a number in fact.
  id: z.union([z.string(), z.number()]),
  key: z.string().nullable(),
  attempts: z.number(),
});

const failure = z.object({ failure: z.literal(true), job: knownJob, error: z.unknown() });
const trouble = z.object({ job: knownJob.optional(), error: z.unknown(), fatalError: z.unknown() });

/**
 * A job in the log: its task, id, key and attempts. Not its payload: that of an email has the address, the text, and links that sign
 * people in. A key that has an address is left out, and is not named `key`, which the logger hides.
 */
export function describeJob({ task_identifier, id, key, attempts }: z.infer<typeof knownJob>): object {
  return {
    job: task_identifier,
    jobId: id,
    ...(key === null || key.includes("@") ? {} : { jobKey: key }),
    attempts,
  };
}

/** graphile-worker's own messages: failures at their level, everything else at debug. */
export function workerLogger(logger: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    const ours = level === "error" ? "error" : level === "warning" ? "warn" : "debug";
    if (ours === "debug") {
      logger.debug({ job: scope.taskIdentifier }, message);
      return;
    }
    const failed = failure.safeParse(meta);
    if (failed.success) {
      // Its own message repeats that of the error, in which Postgres quotes values.
      logger[ours]({ ...describeJob(failed.data.job), err: failed.data.error }, "a job has failed");
      return;
    }
    const { job, error, fatalError } = trouble.safeParse(meta).data ?? {};
    logger[ours]({ ...(job === undefined ? {} : describeJob(job)), err: fatalError ?? error }, message);
  });
}
