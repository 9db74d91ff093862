import { z } from "zod";

const oneRequest = z.object({
  method: z.enum(["GET", "POST"]),
  path: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
});

/** One load on one server. It ends by itself, after `duration` or after `amount` answers. */
export const load = z.object({
  origin: z.string(),
  method: z.enum(["GET", "POST"]),
  /** Asked for in turn. */
  paths: z.array(z.string()).min(1),
  /** Instead of `method` and `paths`, in turn. */
  mix: z.array(oneRequest).min(1).optional(),
  /** Each request replaces the `#` in its path with another number of this range (`numbers.ts`). */
  numbered: z.object({ first: z.number(), count: z.number() }).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Number of visitor addresses (`X-Forwarded-For`) per connection, used in turn and by no other connection. */
  visitorsPerConnection: z.number().optional(),
  /** Requests per connection before it starts again; default one per path. */
  requestsPerConnection: z.number().optional(),
  /** In seconds; for an amount, how long it may take at most. */
  duration: z.number(),
  connections: z.number(),
  /** Every answer has to be this text; another one is a failure. */
  expectBody: z.string().optional(),
  /** The answers that are none of the failures. */
  expectStatus: z.enum(["2xx", "3xx"]).default("2xx"),
  /** Number of requests, all awaited, instead of a duration. */
  amount: z.number().optional(),
  /** Requests per second over all connections; default: as fast as answers come. */
  rate: z.number().optional(),
});

export const loadResult = z.object({
  /** Answers with the status that was expected. */
  answered: z.number(),
  sent: z.number(),
  /** Connection errors, time-outs, other statuses and unexpected bodies. */
  failed: z.number(),
  /** From the first request to the last answer. */
  seconds: z.number(),
  perSecond: z.number(),
  /** Latencies in milliseconds. */
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  p999: z.number(),
  /** How late the client sent what has a rate, p99: what latencies contain of its own. */
  lateP99: z.number().optional(),
  /** Share of the time in which the client was computing: near 1, it and not the server sets the pace. */
  clientBusy: z.number(),
});

export type Load = z.input<typeof load>;
export type LoadResult = z.infer<typeof loadResult>;
