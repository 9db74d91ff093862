import type { Kysely } from "kysely";
import { FairTurns } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { tooManyRequests, unavailable } from "#libs/http/index.ts";
import { ownerOf } from "../store/owner.ts";

/** A report, or the visitors of a large workspace, have ClickHouse at work for a second. Most connections are left to everything else. */
const PLACES = 4;
/** Counts that wait for those of the same owner: each keeps one of the places that all members have together (`MemberPlaces`). */
const MOST_WAITING = 16;
const RETRY_AFTER_MS = 1_000;
const TOO_MANY = "Too many reports of this publisher are being counted. Try again.";

/** One for the process: all reports and visitors of those who own the same workspaces are counted after each other. */
const turns = new FairTurns(PLACES);

/**
 * The result of counting what takes long, once its owner has the turn. Throws 429 if too much of the same owner waits, 503 if nobody waits
 * for the `answer` any more.
 */
export async function inStatsTurn<T>(
  db: Kysely<Tables>,
  workspaceId: string,
  answer: { readonly closed: boolean },
  count: () => Promise<T>,
): Promise<T> {
  const owner = await ownerOf(db, workspaceId);
  if (turns.waitingOf(owner) >= MOST_WAITING) throw tooManyRequests(RETRY_AFTER_MS, TOO_MANY);
  return await turns.run(owner, async () => {
    if (answer.closed) throw unavailable(RETRY_AFTER_MS);
    return await count();
  });
}
