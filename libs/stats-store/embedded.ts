import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setPriority } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { Backoff } from "#libs/async/index.ts";
import { makeFolderDurably } from "#libs/files/index.ts";
import { type Orders, type Report, reportSchema } from "./embedded/messages.ts";
import { forgetAccess, noteAccess } from "./running.ts";

const PROGRAM = fileURLToPath(new URL("embedded-server.ts", import.meta.url));

/** Opening a folder after a crash reads its parts again. */
const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 8000;
const RESTARTS = { firstMs: 100, longestMs: 5000 };
/** A process that has served for this long starts over with short pauses. */
const STEADY_AFTER_MS = 30_000;

export interface EmbeddedClickHouseOptions {
  /** Created if it is missing. One process at a time can open it. */
  readonly dataDir: string;
  /** Default 0: a free one. Kept over restarts. */
  readonly port?: number;
  /** How far its process steps back where others want the processor, 0 to 19 as `nice` has it. Default 0. */
  readonly niceness?: number;
  readonly logger?: Pick<Logger, "info" | "warn">;
}

export interface EmbeddedClickHouse {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** The process that serves right now, or null between two. */
  pid(): number | null;
  /** Stops the process: asks, then kills. Nothing is left running. */
  close(): Promise<void>;
}

/**
 * Starts ClickHouse as a child process on loopback, resolves when it answers, and starts it again on the same port
 * with the same password whenever it dies. Rejects with one sentence when it cannot be started at all.
 */
export async function startEmbeddedClickHouse(
  options: EmbeddedClickHouseOptions,
): Promise<EmbeddedClickHouse> {
  const dataDir = resolve(options.dataDir);
  await makeFolderDurably(dataDir);
  const orders: Orders = {
    dataDir,
    port: options.port ?? 0,
    username: "placard",
    password: randomBytes(24).toString("base64url"),
  };
  const start = (port: number) => launch({ ...orders, port }, options.niceness ?? 0);
  const first = await start(orders.port);
  const keeper = new Keeper(() => start(first.port), first.child, options.logger);
  const { username, password } = orders;
  const access = { url: `http://127.0.0.1:${first.port}`, username, password };
  const close = async () => {
    await forgetAccess(dataDir);
    await keeper.close();
  };
  try {
    await noteAccess(dataDir, access);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...access, pid: () => keeper.pid(), close };
}

/**
 *     serving ──died──▶ pausing ──▶ starting ──▶ serving
 *        │                 ▲           │ failed
 *        └─ close ─▶ closed            └──▶ pausing, twice as long
 */
class Keeper {
  private readonly launch: () => Promise<Launched>;
  private readonly logger: EmbeddedClickHouseOptions["logger"];
  private child: ChildProcess | null = null;
  private readonly backoff = new Backoff(RESTARTS);
  private servingSince = 0;
  private timer: NodeJS.Timeout | null = null;
  private starting: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    launch: () => Promise<Launched>,
    child: ChildProcess,
    logger: EmbeddedClickHouseOptions["logger"],
  ) {
    this.launch = launch;
    this.logger = logger;
    this.watch(child);
  }

  pid(): number | null {
    return this.child?.pid ?? null;
  }

  private watch(child: ChildProcess): void {
    this.child = child;
    this.servingSince = Date.now();
    const died = (code: number | null, signal: NodeJS.Signals | null) => {
      this.child = null;
      if (this.closed) return;
      if (Date.now() - this.servingSince > STEADY_AFTER_MS) this.backoff.reset();
      const pauseMs = this.restartAfterPause();
      this.logger?.warn({ code, signal, pauseMs }, "embedded ClickHouse died, starting it again");
    };
    if (child.exitCode !== null || child.signalCode !== null) died(child.exitCode, child.signalCode);
    else child.once("exit", died);
  }

  private restartAfterPause(): number {
    const pauseMs = this.backoff.next();
    this.timer = setTimeout(() => {
      this.starting = this.restart();
    }, pauseMs);
    return pauseMs;
  }

  private async restart(): Promise<void> {
    try {
      const { child, forgotten } = await this.launch();
      this.watch(child);
      this.logger?.info({ pid: child.pid, forgotten }, "embedded ClickHouse serves again");
    } catch (error) {
      if (this.closed) return;
      const pauseMs = this.restartAfterPause();
      this.logger?.warn({ err: error, pauseMs }, "embedded ClickHouse does not start, trying again");
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.starting;
    if (this.child !== null) await stop(this.child);
  }
}

interface Launched {
  readonly child: ChildProcess;
  readonly port: number;
  readonly forgotten: number;
}

async function launch(orders: Orders, niceness: number): Promise<Launched> {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Queries run on libuv's threads. Nothing else of the parent's environment is its business.
    env: { UV_THREADPOOL_SIZE: "14", TZ: "UTC" },
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  stepBack(child, niceness);
  let lastWords = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString("utf8")).slice(-2000);
  });
  try {
    const report = await firstReport(child, orders);
    if (report.state === "failed") throw new Error(report.reason);
    return { child, port: report.port, forgotten: report.forgotten };
  } catch (error) {
    await stop(child);
    if (child.pid !== undefined) await closed;
    throw new Error(error instanceof Error ? error.message : String(error), { cause: lastWords || error });
  }
}

/** At once, because on Linux only threads that come later are as nice as the first. */
function stepBack(child: ChildProcess, niceness: number): void {
  if (niceness === 0 || child.pid === undefined) return;
  try {
    setPriority(child.pid, niceness);
  } catch {
    // It has ended already, which its first report tells.
  }
}

async function firstReport(child: ChildProcess, orders: Orders): Promise<Report> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`embedded ClickHouse did not start within ${START_WITHIN_MS / 1000} seconds`)),
      START_WITHIN_MS,
    );
    child.on("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`embedded ClickHouse ended while it started (${signal ?? code})`));
    });
    child.once("message", (message) => {
      clearTimeout(timer);
      resolve(reportSchema.parse(message));
    });
    child.send(orders, (error) => {
      if (error !== null) reject(error);
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await exited;
  clearTimeout(timer);
}
