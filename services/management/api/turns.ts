import type { Kysely } from "kysely";
import { FairTurns, pause } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { tooManyRequests, unavailable } from "#libs/http/index.ts";
import { ownerOf } from "../store/owner.ts";

/** Most connections are left to everything else, as each of these may wait for its store for a second. */
const PLACES = 4;
/**
 * What waits for the same owner's turns, and in all: each keeps one of the places that members have together (`MemberPlaces`). An owner
 * may always have two, which a page of the dashboard asks for.
 */
const MOST_OF_OWNER = 16;
const MOST_WAITING = 64;
const ALWAYS = 2;
const RETRY_AFTER_MS = 1_000;

interface Kind {
  readonly turns: FairTurns;
  readonly tooMany: string;
}

/** One for the process, as is the next: all that those who own the same workspaces ask for has its turn after each other. */
const COUNTS: Kind = {
  turns: new FairTurns(PLACES),
  tooMany: "Too many reports are waiting to be counted. Try again.",
};
/** Each takes some milliseconds of the event loop without a pause, and one person may ask for many. */
const TEXTS: Kind = {
  turns: new FairTurns(PLACES, pause),
  tooMany: "Too many files and long pages are waiting to be read. Try again.",
};

/** What an answer waits for, once its owner has the turn. */
type InTurn = <T>(
  db: Kysely<Tables>,
  workspaceId: string,
  answer: { readonly closed: boolean },
  work: () => Promise<T>,
) => Promise<T>;

/**
 * The result of counting what takes ClickHouse long, in a turn of the workspace's owner. Throws 429 if too much waits, 503 if nobody
 * waits for the `answer` any more.
 */
export const inStatsTurn: InTurn = (...asked) => inTurn(COUNTS, ...asked);

/** As `inStatsTurn`, the result of reading what may be a long page, in a turn that it shares with the parts of files. */
export const inPageTurn: InTurn = (...asked) => inTurn(TEXTS, ...asked);

/** Reads a part of a file and writes it as text. */
export type PartTurn = <T>(readPart: () => Promise<T>) => Promise<T>;

/** The turns in which the parts of a file are read. Throws 429 if too much waits. */
export async function partTurnsOf(db: Kysely<Tables>, workspaceId: string): Promise<PartTurn> {
  const owner = await admit(TEXTS, db, workspaceId);
  return (readPart) => TEXTS.turns.run(owner, readPart);
}

async function inTurn<T>(kind: Kind, ...[db, workspaceId, answer, work]: Parameters<typeof inStatsTurn<T>>) {
  const owner = await admit(kind, db, workspaceId);
  return await kind.turns.run(owner, async () => {
    if (answer.closed) throw unavailable(RETRY_AFTER_MS);
    return await work();
  });
}

/** The owner of a workspace, if there is room for more of them. */
async function admit({ turns, tooMany }: Kind, db: Kysely<Tables>, workspaceId: string): Promise<string> {
  const owner = await ownerOf(db, workspaceId);
  const own = turns.waitingOf(owner);
  if (own >= MOST_OF_OWNER || (own >= ALWAYS && turns.waiting >= MOST_WAITING)) {
    throw tooManyRequests(RETRY_AFTER_MS, tooMany);
  }
  return owner;
}
