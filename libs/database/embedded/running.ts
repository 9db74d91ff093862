import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { codeOf, DatabaseError, reasonOf } from "../errors.ts";

/** The lines of postmaster.pid with the server's port and state. */
const PORT_LINE = 3;
const STATE_LINE = 7;

/**
 * The URL, with the password, of the Postgres that another process of ours runs on this folder; null without one. It may be
 * stale after a kill. Throws `DatabaseError` `DATA_FOLDER` when the folder may not be read.
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
