import cluster, { type Worker } from "node:cluster";
import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import { AggregatorRegistry } from "prom-client";
import { backoffMs, type Shutdown } from "#libs/async/index.ts";
import { StartError } from "#libs/process/index.ts";
import { type ToWorker, toPrimary } from "./worker.ts";

const RESTARTS = { firstMs: 250, longestMs: 15_000 };
/** The end of a worker that has listened this long is not a failure to start. */
const STABLE_AFTER_MS = 30_000;
/** Failures in a row of one place, while no worker listens, after which this process gives up. */
const MAX_FAILURES = 5;
/** Longer than a worker takes at most. */
const STOP_WITHIN_MS = 9_500;

/** The number of processes that the settings ask for. */
export function processesOf({ servingProcesses }: { readonly servingProcesses: number | "auto" }): number {
  return servingProcesses === "auto" ? availableParallelism() : servingProcesses;
}

/** A place for a worker, and the record of those that had it. */
interface Place {
  readonly number: number;
  worker: Worker | undefined;
  listeningSince: number | undefined;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Runs `count` workers of serving on one port, and replaces each that ends, after a growing pause. Resolves when the first
 * listens: only listening workers get connections, so the service is ready while at least one of them listens. Rejects
 * with `StartError` when the workers end before any has listened.
 *
 *     forked ─▶ listening ─▶ ended ─▶ (pause) ─▶ forked …
 */
export async function startWorkers(count: number, logger: Logger, shutdown: Shutdown): Promise<void> {
  const places = Array.from(
    { length: count },
    (_, number): Place => ({
      number,
      worker: undefined,
      listeningSince: undefined,
      failures: 0,
      timer: undefined,
    }),
  );
  const gathered = new GatheredMetrics();
  const firstListens = Promise.withResolvers<void>();
  let hasListened = false;
  // Workers accept connections themselves: one that is passed to an ending worker would hang forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;

  const say = (worker: Worker | undefined, message: ToWorker) => {
    if (worker?.isConnected()) worker.send(message, () => undefined);
  };

  function fork(place: Place): void {
    place.timer = undefined;
    if (shutdown.started) return;
    const worker = cluster.fork();
    place.worker = worker;
    worker.on("listening", () => {
      place.listeningSince ??= performance.now();
      hasListened = true;
      firstListens.resolve();
      logger.info({ worker: place.number }, "worker listening");
    });
    worker.on("message", (message: unknown) => void hear(worker, message));
    worker.on("error", (error) =>
      logger.error({ err: error, worker: place.number }, "worker cannot be reached"),
    );
    worker.on("exit", (code, signal) => ended(place, signal ?? code));
  }

  async function hear(worker: Worker, message: unknown): Promise<void> {
    const parsed = toPrimary.safeParse(message);
    if (!parsed.success) return;
    const { data } = parsed;
    if (data.say === "my metrics") return gathered.take(data.id, data.metrics);
    const others = places.flatMap(({ worker: one, listeningSince }) =>
      one === undefined || listeningSince === undefined ? [] : [(said: ToWorker) => say(one, said)],
    );
    say(worker, { say: "metrics of all", id: data.id, text: await gathered.gather(others) });
  }

  function ended(place: Place, how: string | number): void {
    const livedMs = place.listeningSince === undefined ? 0 : performance.now() - place.listeningSince;
    place.worker = undefined;
    place.listeningSince = undefined;
    if (shutdown.started) return;
    if (!hasListened) {
      firstListens.reject(new StartError("A worker ended before any could answer requests; see its log."));
      return;
    }
    place.failures = livedMs >= STABLE_AFTER_MS ? 1 : place.failures + 1;
    const pauseMs = backoffMs(place.failures, RESTARTS);
    const { number: worker, failures } = place;
    logger.error({ worker, how, failures, pauseMs }, "worker ended; another replaces it");
    if (failures >= MAX_FAILURES && places.every(({ listeningSince }) => listeningSince === undefined)) {
      shutdown.stop(new Error("workers keep ending, and none is left to answer requests"));
      return;
    }
    place.timer = setTimeout(() => fork(place), pauseMs);
  }

  shutdown.onRelease("the workers", () => stopAll(places, say), STOP_WITHIN_MS);
  for (const place of places) fork(place);
  await firstListens.promise;
}

/** Tells all workers to stop and waits until they have exited. Kills those that take too long. */
async function stopAll(
  places: readonly Place[],
  say: (worker: Worker | undefined, message: ToWorker) => void,
): Promise<void> {
  const left = places.flatMap(({ worker, timer }) => {
    clearTimeout(timer);
    return worker === undefined || worker.isDead() ? [] : [worker];
  });
  const gone = left.map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
  const kill = setTimeout(() => {
    for (const worker of left) worker.process.kill("SIGKILL");
  }, STOP_WITHIN_MS - 500);
  for (const worker of left) say(worker, { say: "stop" });
  await Promise.all(gone);
  clearTimeout(kill);
}

/** A worker that takes longer (it is starting, or stuck) is left out. */
const ANSWERS_WITHIN_MS = 1_000;

/** Aggregates the workers' metrics: counters and histograms are added up, gauges as each declares. */
class GatheredMetrics {
  readonly #gatherings = new Map<number, (metrics: readonly object[]) => void>();
  #gathered = 0;

  /** Asks each worker. */
  async gather(workers: readonly ((message: ToWorker) => void)[]): Promise<string> {
    const id = this.#gathered;
    this.#gathered += 1;
    const answers: (readonly object[])[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gatherings.set(id, (metrics) => {
      answers.push(metrics);
      if (answers.length === workers.length) resolve();
    });
    const timer = setTimeout(resolve, ANSWERS_WITHIN_MS);
    for (const ask of workers) ask({ say: "tell your metrics", id });
    if (workers.length === 0) resolve();
    await promise;
    clearTimeout(timer);
    this.#gatherings.delete(id);
    return await AggregatorRegistry.aggregate(answers.map((metrics) => [...metrics])).metrics();
  }

  /** Adds the answer of a worker. */
  take(id: number, metrics: readonly object[]): void {
    this.#gatherings.get(id)?.(metrics);
  }
}
