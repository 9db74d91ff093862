import { execFile } from "node:child_process";
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { DatabaseError } from "../errors.ts";
import type { DatabaseLogger } from "../logger.ts";

/** Fast shutdown, then immediate (as after a crash: recovered at the next start), then what cannot be refused. */
const STEPS = [
  { signal: "SIGINT", waitMs: 5_000 },
  { signal: "SIGQUIT", waitMs: 3_000 },
  { signal: "SIGKILL", waitMs: 3_000 },
] as const;

/**
 * Stops a server that outlived its parent. The caller holds the lock of the folder, so nobody uses that server.
 * Throws `DatabaseError` `DATA_FOLDER` when it cannot be stopped.
 */
export async function stopOrphan(cluster: string, logger: DatabaseLogger): Promise<void> {
  const pid = await recordedPid(cluster);
  if (pid === undefined) return;
  if (await isServerOf(cluster, pid)) {
    logger.warn(
      { pid, cluster },
      "an embedded Postgres outlived the process that had started it; it is stopped",
    );
    await stopServer(cluster, pid);
  }
  // Postgres stumbles over its file as long as anything has that number: another program by now, or a dead server
  // that nobody has taken note of (there may be no init process that does).
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

/** Whether the process is a Postgres of this very folder, and not one that was given a dead one's number. */
async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === "linux") {
    // A server's working directory is its data folder, whatever it was told on the command line.
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
    // Gone between the look and the signal, which is what was wanted.
  }
}
