import { readFile, stat } from "node:fs/promises";
import { DatabaseError } from "../errors.ts";

/** The user and group that the server runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The unprivileged account to run as, because Postgres refuses to run as root; undefined when we are not root.
 * It is the owner of an existing cluster, otherwise `postgres` or `nobody`: no account is created on the machine.
 */
export async function unprivilegedAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new DatabaseError(
    "EMBEDDED_UNAVAILABLE",
    "Postgres refuses to run as root, and there is no account postgres or nobody to run it as: start as another user, or set DATABASE_URL.",
  );
}

/** The data folder as an argument: a link to the working directory, since parent folders may be closed to the account. */
export function dataFolderArgument(cluster: string, account: Account | undefined): string {
  return account !== undefined && process.platform === "linux" ? "/proc/self/cwd" : cluster;
}
