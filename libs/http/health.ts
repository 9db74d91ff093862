import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { SingleFlight, within } from "#libs/async/index.ts";
import { isFromInside } from "./client-address.ts";
import { compressAnswers } from "./compression.ts";
import { sendError } from "./error-answers.ts";
import { notFound } from "./http-error.ts";

/** One thing the service cannot work without. */
export interface ReadinessCheck {
  readonly name: string;
  /** Whether it is there; throwing, or taking over two seconds, counts as no. */
  check(): Promise<boolean>;
}

export interface HealthOptions {
  readonly logger: Logger;
  readonly checks: readonly ReadinessCheck[];
  /** Listed in `/readyz` like the checks, without an effect on the status: the service continues without them. */
  readonly watched?: readonly ReadinessCheck[];
  /** The service's functions, each with the checks it needs: listed in `/readyz`, without an effect on the status. */
  readonly functions?: Readonly<Record<string, readonly string[]>>;
  /** Readiness ends as soon as this is `started`. */
  readonly shutdown: { readonly started: boolean };
  readonly metrics: Pick<Registry, "contentType" | "metrics">;
  /** `inside`: 404 to callers that are not on a loopback or private address. `everyone`: a network in front decides. */
  readonly metricsFor: "inside" | "everyone";
  /** More to say in `/readyz`, such as that payments are a sandbox. */
  readonly notes?: readonly string[];
}

const CHECK_WITHIN_MS = 2_000;

/** Adds `/livez` (the process answers), `/readyz` (200, or 503 with what is down) and `/metrics` (Prometheus text). */
export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  const { checks, shutdown, metrics, metricsFor, logger, watched = [], functions, notes = [] } = options;
  const needed = new Set(checks.map(({ name }) => name));
  const asking = new SingleFlight<Record<string, "up" | "down">>();

  async function ask(): Promise<Record<string, "up" | "down">> {
    const entries = [...checks, ...watched].map(async ({ name, check }) => {
      try {
        return [name, (await within(CHECK_WITHIN_MS, name, check())) ? "up" : "down"] as const;
      } catch (error) {
        logger.warn({ err: error }, `${needed.has(name) ? "not ready" : "continuing without"}: ${name}`);
        return [name, "down"] as const;
      }
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  app.get("/livez", (_request, reply) => reply.header("cache-control", "no-store").send({ alive: true }));

  app.get("/readyz", async (_request, reply) => {
    const results = await asking.run("all checks", ask);
    const ready = !shutdown.started && checks.every(({ name }) => results[name] === "up");
    reply.code(ready ? 200 : 503).header("cache-control", "no-store");
    if (!ready) reply.header("retry-after", "1");
    return {
      ready,
      stopping: shutdown.started,
      checks: results,
      ...(functions === undefined ? {} : { functions: stateOf(functions, results) }),
      ...(notes.length > 0 ? { notes } : {}),
    };
  });

  app.register(async (scope) => {
    await compressAnswers(scope);
    scope.get("/metrics", async (request, reply) => {
      if (metricsFor === "inside" && !isFromInside(request)) return sendError(reply, notFound());
      reply.header("cache-control", "no-store").type(metrics.contentType);
      return reply.send(await metrics.metrics());
    });
  });
}

/** Which functions work: those all of whose checks are up. */
function stateOf(
  functions: Readonly<Record<string, readonly string[]>>,
  results: Readonly<Record<string, "up" | "down">>,
): Record<string, "up" | "down"> {
  const entries = Object.entries(functions).map(([name, needs]) => {
    return [name, needs.every((check) => results[check] === "up") ? "up" : "down"] as const;
  });
  return Object.fromEntries(entries);
}
