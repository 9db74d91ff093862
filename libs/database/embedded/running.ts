import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { codeOf, DatabaseError, reasonOf } from "../errors.ts";

/** In Postgres' own note of the server that runs on a folder: the line with its port, and the one with its state. */
const PORT_LINE = 3;
const STATE_LINE = 7;

/**
 * The address, with the password, of the embedded Postgres that another process of ours runs on this folder; null when
 * none does. Whether it answers is for the caller to find out: after a kill the note of it may be out of date.
 * Throws `DatabaseError` `DATA_FOLDER` when the folder may not be read.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  const folder = resolve(dataDir);
  const note = await read(folder, join("cluster", "postmaster.pid"));
  const password = await read(folder, "password");
  if (note === null || password === null) return null;
  const lines = note.split("\n").map((line) => line.trim());
  const port = Number(lines[PORT_LINE]);
  if (lines[STATE_LINE] !== "ready" || !Number.isInteger(port)) return null;
  return `postgres://postgres:${password.trim()}@127.0.0.1:${port}/postgres`;
}

async function read(folder: string, file: string): Promise<string | null> {
  try {
    return await readFile(join(folder, file), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new DatabaseError(
      "DATA_FOLDER",
      `The database folder ${folder} cannot be read: ${reasonOf(error)}.`,
      {
        cause: error,
      },
    );
  }
}
