import cluster from "node:cluster";
import type { Registry } from "prom-client";
import { z } from "zod";
import { type Shutdown, within } from "#libs/async/index.ts";

/** Messages of the primary to a worker, over the channel of node:cluster. */
const toWorker = z.discriminatedUnion("say", [
  z.object({ say: z.literal("stop") }),
  z.object({ say: z.literal("tell your metrics"), id: z.number() }),
  z.object({ say: z.literal("metrics of all"), id: z.number(), text: z.string() }),
]);
export type ToWorker = z.infer<typeof toWorker>;

/** A metric as JSON of prom-client. Not checked further: both ends are this program. */
const metric = z.custom<object>((value) => typeof value === "object" && value !== null);

/** Messages of a worker to the primary. */
export const toPrimary = z.discriminatedUnion("say", [
  z.object({ say: z.literal("my metrics"), id: z.number(), metrics: z.array(metric) }),
  z.object({ say: z.literal("tell all metrics"), id: z.number() }),
]);
export type ToPrimary = z.infer<typeof toPrimary>;

const ANSWERS_WITHIN_MS = 3_000;

/**
 * In a worker: stops when the primary says so, and returns the metrics of all workers instead of its own. When the primary
 * dies, node:cluster ends the worker at once; unanswered requests were promised nothing.
 */
export function joinWorkers(own: Registry, shutdown: Shutdown): Pick<Registry, "contentType" | "metrics"> {
  if (!cluster.isWorker) return own;
  const awaited = new Map<number, (text: string) => void>();
  let asked = 0;
  process.on("message", (message) => {
    const parsed = toWorker.safeParse(message);
    if (!parsed.success) return;
    const { data } = parsed;
    if (data.say === "metrics of all") awaited.get(data.id)?.(data.text);
    // A signal may have reached the whole group before: a second one would cut the first short.
    else if (data.say === "stop") shutdown.started || shutdown.stop();
    else void own.getMetricsAsJSON().then((metrics) => tell({ say: "my metrics", id: data.id, metrics }));
  });
  return {
    contentType: own.contentType,
    async metrics() {
      const id = asked;
      asked += 1;
      const { promise, resolve } = Promise.withResolvers<string>();
      awaited.set(id, resolve);
      try {
        tell({ say: "tell all metrics", id });
        return await within(ANSWERS_WITHIN_MS, "the metrics of all workers", promise);
      } finally {
        awaited.delete(id);
      }
    },
  };
}

function tell(message: ToPrimary): void {
  if (process.connected) process.send?.(message);
}
