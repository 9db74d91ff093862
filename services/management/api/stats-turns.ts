import type { FastifyReply } from "fastify";
import type { Kysely } from "kysely";
import { FairTurns } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { unavailable } from "#libs/http/index.ts";
import { ownerOf } from "../store/owner.ts";

/** A report, or the visitors of a large workspace, have ClickHouse at work for a second. Most connections are left to everything else. */
const PLACES = 4;

/** One for the process: all reports and visitors of those who own the same workspaces are counted after each other. */
const turns = new FairTurns(PLACES, null);

/** The result of counting what takes long, once its owner has the turn. Throws 503 if nobody waits for the answer any more. */
export async function inStatsTurn<T>(
  db: Kysely<Tables>,
  workspaceId: string,
  { raw }: FastifyReply,
  count: () => Promise<T>,
): Promise<T> {
  const owner = await ownerOf(db, workspaceId);
  return await turns.run(owner, async () => {
    if (raw.closed) throw unavailable(1_000);
    return await count();
  });
}
