import { Backoff, pause, retry } from "#libs/async/index.ts";
import { reasonOf } from "../errors.ts";
import { type LaunchOptions, launchServer, type ServerProcess } from "./server-process.ts";

const RESTARTS = { firstMs: 50, longestMs: 5_000 };
const STOP_PATIENCE_MS = 5_000;
/** After a crash the server's children hold its shared memory for a moment, and a new server is refused. */
const ATTEMPTS_AT_START = 6;
const STARTS = { firstMs: 100, longestMs: 1_600 };

export interface SupervisedServer {
  readonly port: number;
  readonly pid: number;
  close(): Promise<void>;
}

/**
 * Keeps a server running:
 *
 *     running ──dies──▶ waiting (50 ms, doubling to 5 s) ──▶ starting ──▶ running
 *        │                 │                                   │
 *        └─────────────────┴───────────── close ───────────────┴──▶ closed
 *
 * The first start makes a few attempts and throws; a restart is retried forever, and each failure is logged.
 */
export async function superviseServer(options: LaunchOptions): Promise<SupervisedServer> {
  const { logger } = options;
  const closed = new AbortController();
  let server = await startFirst(options);

  const watch = async () => {
    for (;;) {
      await server.exited;
      if (closed.signal.aborted) return;
      logger.error({ pid: server.pid }, "the embedded Postgres died; restarting it");
      const next = await restart(options, closed.signal);
      if (next === undefined) return;
      server = next;
      logger.info({ pid: server.pid }, "the embedded Postgres is running again");
    }
  };
  const watching = watch();

  return {
    port: options.port,
    get pid() {
      return server.pid;
    },
    async close() {
      closed.abort();
      await server.stop(STOP_PATIENCE_MS);
      await watching;
      // A restart may have succeeded just before it was aborted.
      await server.stop(STOP_PATIENCE_MS);
    },
  };
}

async function startFirst(options: LaunchOptions): Promise<ServerProcess> {
  let attempts = 0;
  const canRetry = (error: unknown) => {
    attempts += 1;
    return attempts < ATTEMPTS_AT_START && reasonOf(error).includes("pre-existing shared memory block");
  };
  return retry(() => launchServer(options), { ...STARTS, canRetry });
}

async function restart(options: LaunchOptions, closed: AbortSignal): Promise<ServerProcess | undefined> {
  const backoff = new Backoff(RESTARTS);
  while (!closed.aborted) {
    await pause(backoff.next(), closed);
    if (closed.aborted) return undefined;
    try {
      return await launchServer(options, closed);
    } catch (error) {
      if (closed.aborted) return undefined;
      options.logger.error({ reason: reasonOf(error) }, "the embedded Postgres does not start; retrying");
    }
  }
  return undefined;
}
