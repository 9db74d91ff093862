import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { writeDurably } from "#libs/files/index.ts";

const accessSchema = z.object({ url: z.url(), username: z.string(), password: z.string() });
export type ClickHouseAccess = z.infer<typeof accessSchema>;

/** In the data folder, for its owner alone; in the same place as the password of the embedded Postgres. */
const FILE = "access.json";

/** Writes down how the ClickHouse that runs on the folder is reached, for commands beside the product. */
export async function noteAccess(dataDir: string, access: ClickHouseAccess): Promise<void> {
  await writeDurably(join(dataDir, FILE), `${JSON.stringify(access)}\n`);
}

/** Does nothing where nothing is written down. */
export async function forgetAccess(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE), { force: true });
}

/**
 * How the embedded ClickHouse is reached that another process of ours runs on this folder; null when none does. Whether it
 * answers is for the caller to find out: after a kill the note may be out of date. Rejects where it cannot be read.
 */
export async function findRunningClickHouse(dataDir: string): Promise<ClickHouseAccess | null> {
  try {
    return accessSchema.parse(JSON.parse(await readFile(join(resolve(dataDir), FILE), "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
