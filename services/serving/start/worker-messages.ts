import { z } from "zod";

/** What the primary says to a worker, over the channel that node:cluster opens between them. */
export const toWorker = z.discriminatedUnion("say", [
  z.object({ say: z.literal("stop") }),
  z.object({ say: z.literal("tell your metrics"), id: z.number() }),
  z.object({ say: z.literal("metrics of all"), id: z.number(), text: z.string() }),
]);
export type ToWorker = z.infer<typeof toWorker>;

/** A metric as prom-client gives it away; both ends are this program. */
const metric = z.custom<object>((value) => typeof value === "object" && value !== null);

/** What a worker says to the primary. */
export const toPrimary = z.discriminatedUnion("say", [
  z.object({ say: z.literal("my metrics"), id: z.number(), metrics: z.array(metric) }),
  z.object({ say: z.literal("tell all metrics"), id: z.number() }),
]);
export type ToPrimary = z.infer<typeof toPrimary>;
