import cluster, { type Worker } from "node:cluster";
import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { Shutdown } from "#libs/http/index.ts";
import { StartError } from "#libs/process/index.ts";
import { GatheredMetrics } from "./gathered-metrics.ts";
import { type ToWorker, toPrimary } from "./worker-messages.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** A worker that has answered for so long was sound; its end is no failure to start. */
const SOUND_AFTER_MS = 30_000;
/** So many failures in a row of one place, while no worker answers, and it is for whoever watches this process. */
const MOST_FAILURES = 5;
/** Beyond what a worker gives itself to stop. */
const STOP_WITHIN_MS = 9_500;

/** How many processes the settings ask for. */
export function processesOf({ servingProcesses }: { readonly servingProcesses: number | "auto" }): number {
  return servingProcesses === "auto" ? availableParallelism() : servingProcesses;
}

/** One place for a worker, and how those that had it have fared. */
interface Place {
  readonly number: number;
  worker: Worker | undefined;
  listeningSince: number | undefined;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Runs so many workers of serving on one port, and a new one in the place of each that ends, after a pause that grows.
 * Resolves when the first listens: connections are given to listening workers alone, so the service is ready as soon as
 * one of them is, and stays so while one is. Rejects with `StartError` when the workers end before any has listened.
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
  // Workers accept by themselves: a connection given to a worker that is just ending would hang for ever.
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
      logger.info({ worker: place.number }, "a worker listens");
    });
    worker.on("message", (message: unknown) => void hear(worker, message));
    worker.on("error", (error) =>
      logger.error({ err: error, worker: place.number }, "a worker cannot be reached"),
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
      firstListens.reject(
        new StartError("A worker has ended before any could answer requests; it has said why."),
      );
      return;
    }
    place.failures = livedMs >= SOUND_AFTER_MS ? 1 : place.failures + 1;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (place.failures - 1), LONGEST_PAUSE_MS);
    const { number: worker, failures } = place;
    logger.error({ worker, how, failures, pauseMs }, "a worker has ended; another takes its place");
    if (failures >= MOST_FAILURES && places.every(({ listeningSince }) => listeningSince === undefined)) {
      shutdown.stop(new Error("workers end again and again, and none is left that answers requests"));
      return;
    }
    place.timer = setTimeout(() => fork(place), pauseMs);
  }

  shutdown.onRelease("the workers", () => stopAll(places, say), STOP_WITHIN_MS);
  for (const place of places) fork(place);
  await firstListens.promise;
}

/** Tells all to stop and waits until they are gone; who has not gone by the end is killed. */
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
