import { setTimeout as delay } from "node:timers/promises";
import { reasonOf } from "../errors.ts";
import { type LaunchOptions, launchServer, type ServerProcess } from "./server-process.ts";

const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 5_000;
const STOP_PATIENCE_MS = 5_000;
/** After a crash the server's children hold its shared memory for a moment and a new one is refused. */
const ATTEMPTS_AT_START = 6;

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
 * The first start has a few attempts and throws; a restart is tried for ever, and each failure is logged.
 */
export async function superviseServer(options: LaunchOptions): Promise<SupervisedServer> {
  const { logger } = options;
  const closed = new AbortController();
  let server = await startFirst(options);

  const watch = async () => {
    for (;;) {
      await server.exited;
      if (closed.signal.aborted) return;
      logger.error({ pid: server.pid }, "the embedded Postgres died; it is restarted");
      const next = await restart(options, closed.signal);
      if (next === undefined) return;
      server = next;
      logger.info({ pid: server.pid }, "the embedded Postgres runs again");
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
      // A restart that was under way may have come up just before it was called off.
      await server.stop(STOP_PATIENCE_MS);
    },
  };
}

async function startFirst(options: LaunchOptions): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchServer(options);
    } catch (error) {
      const transient = reasonOf(error).includes("pre-existing shared memory block");
      if (!transient || attempt === ATTEMPTS_AT_START) throw error;
      await delay(FIRST_BACKOFF_MS * 2 ** attempt);
    }
  }
}

async function restart(options: LaunchOptions, closed: AbortSignal): Promise<ServerProcess | undefined> {
  for (let backoff = FIRST_BACKOFF_MS; !closed.aborted; backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS)) {
    await delay(backoff, undefined, { signal: closed }).catch(() => {});
    if (closed.aborted) return undefined;
    try {
      return await launchServer(options, closed);
    } catch (error) {
      if (closed.aborted) return undefined;
      options.logger.error(
        { reason: reasonOf(error) },
        "the embedded Postgres does not start; it is tried again",
      );
    }
  }
  return undefined;
}
