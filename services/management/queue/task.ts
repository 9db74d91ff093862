import type { z } from "zod";

/**
 * Tasks wait only for tasks of the same runner. `publishing` and `fetching` never wait for a processor or mail server that is
 * away. `lengthy` tasks call the processor for many rows or go through a whole workspace: strangers decide how long they take.
 */
export const RUNNERS = ["publishing", "fetching", "lengthy", "general"] as const;
export type RunnerName = (typeof RUNNERS)[number];

/** A crontab line in UTC without its task. `fill`: the longest delay that is caught up with. */
export type Schedule = `${string} ?${string}`;

/** What the queue knows of one background task. */
export interface Task<Payload> {
  readonly payload: z.ZodType<Payload>;
  readonly runner: RunnerName;
  /** A job replaces a waiting one with the same key. Jobs without a key are all kept. */
  readonly key?: (payload: Payload) => string;
  /** Jobs of one queue run one at a time, over all processes. */
  readonly queue?: (payload: Payload) => string;
  /** The party that a job counts for, or null. Parties with fewer waiting jobs go first, and a job of many turns moves back. */
  readonly fairTo?: (payload: Payload) => string | null;
  /** With exponential backoff 12 attempts span 16 hours, 15 span 40. Default 25. */
  readonly maxAttempts?: number;
  /** Also queued by the clock. */
  readonly schedule?: Schedule;
}

/** Describes a task; its payload is inferred. */
export function task<Payload>(description: Task<Payload>): Task<Payload> {
  return description;
}
