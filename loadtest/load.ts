import { z } from "zod";

/** One load on one server. It ends by itself, after `duration` or after `amount` answers. */
export const load = z.object({
  origin: z.string(),
  method: z.enum(["GET", "POST"]),
  /** Asked for in turn. */
  paths: z.array(z.string()).min(1),
  headers: z.record(z.string(), z.string()).default({}),
  /** Requests of each connection come from so many addresses in turn (`X-Forwarded-For`), that no other one uses. */
  visitorsPerConnection: z.number().optional(),
  /** In seconds; for an amount, how long it may take at most. */
  duration: z.number(),
  connections: z.number(),
  /** Every answer has to be this text; another one is a failure. */
  expectBody: z.string().optional(),
  /** So many requests, each of them waited for, instead of a duration. */
  amount: z.number().optional(),
  /** Requests a second over all connections; as fast as answers come by default. */
  rate: z.number().optional(),
});

export const loadResult = z.object({
  /** Answers with a 2xx status. */
  answered: z.number(),
  sent: z.number(),
  /** Connection errors, time-outs, other statuses and unexpected bodies. */
  failed: z.number(),
  /** From the first request to the last answer. */
  seconds: z.number(),
  perSecond: z.number(),
  /** Latencies in milliseconds. */
  p50: z.number(),
  p99: z.number(),
  /** Share of the time in which the client was computing: near 1, it and not the server sets the pace. */
  clientBusy: z.number(),
});

export type Load = z.input<typeof load>;
export type LoadResult = z.infer<typeof loadResult>;
