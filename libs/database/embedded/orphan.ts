import { execFile } from "node:child_process";
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { DatabaseLogger } from "../connection.ts";
import { DatabaseError } from "../errors.ts";

/** Fast shutdown, then immediate (recovered at the next start, as after a crash), then a kill. */
const STEPS = [
  { signal: "SIGINT", waitMs: 5_000 },
  { signal: "SIGQUIT", waitMs: 3_000 },
  { signal: "SIGKILL", waitMs: 3_000 },
] as const;

/** Stops a server that outlived its parent. The caller holds the folder's lock. Throws `DatabaseError` `DATA_FOLDER`. */
export async function stopOrphan(cluster: string, logger: DatabaseLogger): Promise<void> {
  const pid = await recordedPid(cluster);
  if (pid === undefined) return;
  if (await isServerOf(cluster, pid)) {
    logger.warn({ pid, cluster }, "an embedded Postgres outlived the process that started it; stopping it");
    await stopServer(cluster, pid);
  }
  // Postgres refuses to start while any process has the recorded id: another program by now, or a dead server that
  // was never reaped (there may be no init process).
  await rm(join(cluster, "postmaster.pid"), { force: true });
}

async function stopServer(cluster: string, pid: number): Promise<void> {
  for (const { signal, waitMs } of STEPS) {
    sendSignal(pid, signal);
    for (let waited = 0; waited < waitMs; waited += 20) {
      if (!(await isServerOf(cluster, pid))) return;
      await delay(20);
    }
  }
  throw new DatabaseError(
    "DATA_FOLDER",
    `The Postgres of ${cluster} that runs as process ${pid} cannot be stopped.`,
  );
}

async function recordedPid(cluster: string): Promise<number | undefined> {
  const content = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(content, 10);
  return pid > 0 ? pid : undefined;
}

/** Whether the process is a Postgres on this folder, and not another one that reuses the id. */
async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === "linux") {
    // A server's working directory is its data folder, whatever its command line says.
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    const program = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    return folder === (await realpath(cluster)) && program.trim() === "postgres";
  }
  const command = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(
    () => undefined,
  );
  return command?.stdout.includes("postgres") === true && command.stdout.includes(cluster);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the check and the signal.
  }
}
