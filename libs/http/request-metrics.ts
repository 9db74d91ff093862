import type { FastifyInstance } from "fastify";
import { Histogram, type Registry } from "prom-client";

const NAME = "placard_http_request_duration_seconds";

/**
 * Measures requests by method, route pattern and status. Unknown paths share a label; servers may share a registry. Logs each
 * request by its `x-request-id`, as a warning from `slowMs` on, else at level `info`, and never its path or query, which may
 * hold secrets.
 */
export function measureRequests(app: FastifyInstance, registry: Registry, slowMs: number): void {
  const durations = durationsOf(registry);
  const series = new Map<string, { observe(seconds: number): void }>();
  app.addHook("onResponse", (request, reply, done) => {
    const method = request.is404 ? "any" : request.method;
    const route = request.routeOptions.url ?? "unknown";
    const { statusCode: status, elapsedTime } = reply;
    const key = `${method} ${status} ${route}`;
    let one = series.get(key);
    if (one === undefined) {
      one = durations.labels(method, route, String(status));
      series.set(key, one);
    }
    one.observe(elapsedTime / 1000);
    const ms = Math.round(elapsedTime);
    if (elapsedTime >= slowMs) request.log.warn({ method, route, status, ms }, "slow request");
    else request.log.info({ method, route, status, ms }, "request");
    done();
  });
}

function durationsOf(registry: Registry): Histogram<string> {
  const known = registry.getSingleMetric(NAME);
  if (known instanceof Histogram) return known;
  return new Histogram({
    name: NAME,
    help: "Time from the arrival of a request to the end of its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
}
