import type { Kysely } from "kysely";
import { FairTurns } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { tooManyRequests, unavailable } from "#libs/http/index.ts";
import { ownerOf } from "../store/owner.ts";

/** A report, or the visitors of a large workspace, have ClickHouse at work for a second. Most connections are left to everything else. */
const PLACES = 4;
/**
 * Counts that wait for those of the same owner, and in all: each keeps one of the places that members have together (`MemberPlaces`). An
 * owner of whom none waits may always have one.
 */
const MOST_OF_OWNER = 16;
const MOST_WAITING = 64;
const RETRY_AFTER_MS = 1_000;
const TOO_MANY = "Too many reports are waiting to be counted. Try again.";

/** One for the process: all reports and visitors of those who own the same workspaces are counted after each other. */
const turns = new FairTurns(PLACES);

/**
 * The result of counting what takes long, once its owner has the turn. Throws 429 if too much waits, 503 if nobody waits
 * for the `answer` any more.
 */
export async function inStatsTurn<T>(
  db: Kysely<Tables>,
  workspaceId: string,
  answer: { readonly closed: boolean },
  count: () => Promise<T>,
): Promise<T> {
  const owner = await ownerOf(db, workspaceId);
  const own = turns.waitingOf(owner);
  if (own >= MOST_OF_OWNER || (own > 0 && turns.waiting >= MOST_WAITING)) {
    throw tooManyRequests(RETRY_AFTER_MS, TOO_MANY);
  }
  return await turns.run(owner, async () => {
    if (answer.closed) throw unavailable(RETRY_AFTER_MS);
    return await count();
  });
}
