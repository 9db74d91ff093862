import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, DatabaseError, reasonOf } from "../errors.ts";
import { type Account, dataFolderArgument } from "./account.ts";
import type { Binaries } from "./binaries.ts";

const POSTGRES_MAJOR = "18";

/** Where things lie in the data folder of the embedded Postgres. */
export interface ClusterPaths {
  /** Postgres' own data folder. */
  readonly cluster: string;
  /** The superuser's password, made at random, readable by the owner alone. */
  readonly password: string;
}

/**
 * Makes the cluster where there is none: UTF-8 with the built-in C.UTF-8 locale, whatever the machine's language.
 * It is made aside and then moved, so that a kill in between leaves nothing half made. Returns the password.
 * Throws `DatabaseError` `DATA_FOLDER` when the folder holds something that cannot be used.
 */
export async function prepareCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  account: Account | undefined,
): Promise<string> {
  const version = await readFile(join(paths.cluster, "PG_VERSION"), "utf8").catch(absent);
  if (version === undefined) {
    await refuseForeignFolder(paths.cluster);
    await makeCluster(paths, binaries, account);
  } else if (version.trim() !== POSTGRES_MAJOR) {
    throw unusable(
      paths.cluster,
      `was made by Postgres ${version.trim()} and cannot be read by Postgres ${POSTGRES_MAJOR}`,
    );
  }
  const password = await readFile(paths.password, "utf8").catch(absent);
  if (password === undefined) throw unusable(paths.cluster, `lacks its password, the file ${paths.password}`);
  return password.trim();
}

async function refuseForeignFolder(cluster: string): Promise<void> {
  const folder = await open(cluster).catch(absent);
  if (folder === undefined) return;
  await folder.close();
  throw unusable(cluster, "is damaged: it has no PG_VERSION");
}

async function makeCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  account: Account | undefined,
): Promise<void> {
  const unfinished = `${paths.cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await rm(paths.password, { force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(paths.password, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  if (account !== undefined) {
    await chown(unfinished, account.uid, account.gid);
    await chown(paths.password, account.uid, account.gid);
  }
  await runInitdb(unfinished, paths.password, binaries, account);
  await rename(unfinished, paths.cluster);
}

async function runInitdb(
  folder: string,
  passwordFile: string,
  binaries: Binaries,
  account: Account | undefined,
): Promise<void> {
  // Handed over open: the account may own the file and still not be able to walk to it.
  const password = await open(passwordFile);
  const options = [
    `--pgdata=${dataFolderArgument(folder, account)}`,
    "--username=postgres",
    `--pwfile=${process.platform === "win32" ? passwordFile : "/dev/fd/3"}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
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

/** Of all that initdb says, the line that names the cause. */
function firstError(said: string): string | undefined {
  return /(?:error|FATAL|PANIC):\s*(.+)/.exec(said)?.[1] ?? (said.trim().split("\n").at(-1) || undefined);
}

function absent(error: unknown): undefined {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
  throw error;
}

/** The one sentence for a folder that needs a person. */
export function unusable(cluster: string, what: string, cause?: unknown): DatabaseError {
  return new DatabaseError("DATA_FOLDER", `The database folder ${cluster} ${what}.`, { cause });
}
