import cluster from "node:cluster";
import type { Registry } from "prom-client";
import { type Shutdown, within } from "#libs/http/index.ts";
import { type ToPrimary, toWorker } from "./worker-messages.ts";

const ANSWERS_WITHIN_MS = 3_000;

/**
 * Where this process is one of several workers: stops when the primary says so, and gives the metrics of all workers in
 * place of its own. When the primary dies, node:cluster ends the worker at once; what it has not answered is not promised.
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
