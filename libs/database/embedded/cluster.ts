import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { renameDurably, writeDurably } from "#libs/files/index.ts";
import { codeOf, DatabaseError, reasonOf } from "../errors.ts";
import { type Account, dataFolderArgument } from "./account.ts";
import type { Binaries } from "./binaries.ts";

const POSTGRES_MAJOR = "18";

/** The paths in the data folder of the embedded Postgres, and how durably it is created. */
export interface ClusterPlan {
  /** Postgres' own data folder. */
  readonly cluster: string;
  /** Whether new files are synced to disk before they are used; only a throw-away cluster does without. */
  readonly sync: boolean;
  /** The superuser's random password, readable by the owner only. */
  readonly password: string;
}

/**
 * Creates the cluster where there is none: UTF-8 with the built-in C.UTF-8 locale, whatever the machine's language.
 * It is created aside, synced and then moved, so that neither a kill nor a power failure leaves a partial one.
 * Returns the password.
 * Throws `DatabaseError` `DATA_FOLDER` when the folder holds something that cannot be used.
 */
export async function prepareCluster(
  plan: ClusterPlan,
  binaries: Binaries,
  account: Account | undefined,
): Promise<string> {
  const version = await readFile(join(plan.cluster, "PG_VERSION"), "utf8").catch(absent);
  if (version === undefined) {
    await refuseForeignFolder(plan.cluster);
    await makeCluster(plan, binaries, account);
  } else if (version.trim() !== POSTGRES_MAJOR) {
    throw unusable(
      plan.cluster,
      `was made by Postgres ${version.trim()} and cannot be read by Postgres ${POSTGRES_MAJOR}`,
    );
  }
  const password = await readFile(plan.password, "utf8").catch(absent);
  if (password === undefined || password.trim() === "")
    throw unusable(plan.cluster, `lacks its password, the file ${plan.password}`);
  return password.trim();
}

async function refuseForeignFolder(cluster: string): Promise<void> {
  const folder = await open(cluster).catch(absent);
  if (folder === undefined) return;
  await folder.close();
  throw unusable(cluster, "is damaged: it has no PG_VERSION");
}

async function makeCluster(
  plan: ClusterPlan,
  binaries: Binaries,
  account: Account | undefined,
): Promise<void> {
  const unfinished = `${plan.cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await rm(plan.password, { force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeDurably(plan.password, `${randomBytes(24).toString("base64url")}\n`);
  if (account !== undefined) {
    await chown(unfinished, account.uid, account.gid);
    await chown(plan.password, account.uid, account.gid);
  }
  await runInitdb(unfinished, plan, binaries, account);
  await renameDurably(unfinished, plan.cluster);
}

async function runInitdb(
  folder: string,
  plan: ClusterPlan,
  binaries: Binaries,
  account: Account | undefined,
): Promise<void> {
  // Passed as an open file: the account may own it and still lack access to its folder.
  const password = await open(plan.password);
  const options = [
    `--pgdata=${dataFolderArgument(folder, account)}`,
    "--username=postgres",
    `--pwfile=${process.platform === "win32" ? plan.password : "/dev/fd/3"}`,
    "--auth=scram-sha-256",
    // More iterations would slow down guessing and each of our connections; 24 random bytes cannot be guessed.
    "--set=scram_iterations=1",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    ...(plan.sync ? [] : ["--no-sync"]),
  ];
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(binaries.initdb, options, {
        ...account,
        cwd: folder,
        env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
        stdio: ["ignore", "ignore", "pipe", password.fd],
      });
      let said = "";
      child.stderr?.on("data", (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-2_000);
      });
      child.once("error", reject);
      child.once("close", (code) =>
        code === 0 ? resolve() : reject(new Error(firstError(said) ?? `exit code ${code}`)),
      );
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw unusable(folder, `cannot be filled with a new database: ${reasonOf(error)}`, error);
  } finally {
    await password.close();
  }
}

/** The line of initdb's output that names the cause. */
function firstError(said: string): string | undefined {
  return /(?:error|FATAL|PANIC):\s*(.+)/.exec(said)?.[1] ?? (said.trim().split("\n").at(-1) || undefined);
}

function absent(error: unknown): undefined {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
  throw error;
}

/** The error for a folder that an operator has to look after. */
export function unusable(cluster: string, what: string, cause?: unknown): DatabaseError {
  return new DatabaseError("DATA_FOLDER", `The database folder ${cluster} ${what}.`, { cause });
}
