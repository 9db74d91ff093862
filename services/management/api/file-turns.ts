import type { Kysely } from "kysely";
import { FairTurns, pause } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { ownerOf } from "../store/owner.ts";

/** Reads a part of a file and writes it as text. */
export type PartTurn = <T>(readPart: () => Promise<T>) => Promise<T>;

/** Parts that are read at the same time: one may wait for the database for long. */
const PLACES = 4;

/** One for the process: each part takes some milliseconds without a pause, and one person may have many files under way. */
const turns = new FairTurns(PLACES, pause);

/** The turns in which the parts of a file are read, which all files of those who own the same workspaces have together. */
export async function partTurnsOf(db: Kysely<Tables>, workspaceId: string): Promise<PartTurn> {
  const owner = await ownerOf(db, workspaceId);
  return (readPart) => turns.run(owner, readPart);
}
