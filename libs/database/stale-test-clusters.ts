import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { lockFolder } from "./embedded/folder-lock.ts";
import { stopOrphan } from "./embedded/orphan.ts";
import type { DatabaseLogger } from "./logger.ts";

/** Removes the clusters of test runs that were killed, with the servers that outlived them. */
export async function removeStaleClusters(
  parent: string,
  prefix: string,
  logger: DatabaseLogger,
): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    // One without a cluster is being made by another run at this moment; its lock may not be taken yet.
    if (!name.startsWith(prefix) || !existsSync(join(folder, "cluster"))) continue;
    const lock = lockFolder(folder);
    if (lock === null) continue;
    await stopOrphan(join(folder, "cluster"), logger);
    lock.release();
    await rm(folder, { recursive: true, force: true });
  }
}
