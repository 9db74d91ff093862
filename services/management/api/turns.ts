import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import { FairTurns, pause, RecentUse } from "#libs/async/index.ts";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import { tooManyRequests, unavailable } from "#libs/http/index.ts";

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
/** A person who has read more characters than this lately takes turns for everything. A page of the dashboard has about 10,000. */
const LIGHT_READER = 256 * 1024;

interface Kind {
  readonly turns: FairTurns;
  /** The turn in which the work at hand runs. What it asks for within is part of that turn: otherwise it would wait for itself. */
  readonly held: AsyncLocalStorage<Held>;
  readonly tooMany: string;
}

interface Held {
  isHeld: boolean;
  /** Ends the turn early. The work continues without it. */
  readonly end: () => void;
}

/** One per process, as is the next. Requests for workspaces of the same owner take turns. */
const COUNTS: Kind = {
  turns: new FairTurns(PLACES),
  held: new AsyncLocalStorage(),
  tooMany: "Too many reports are waiting to be counted. Try again.",
};
/** Each takes some milliseconds of the event loop without a pause, and one person may ask for many. */
const TEXTS: Kind = {
  turns: new FairTurns(PLACES, pause),
  held: new AsyncLocalStorage(),
  tooMany: "Too many files and long pages are waiting to be read. Try again.",
};

/** Advertisers and the people they share reports with take these turns, so that publishers' own reports never wait for them. */
const READERS: Kind = {
  turns: new FairTurns(2),
  held: new AsyncLocalStorage(),
  tooMany: "Too many reports are waiting to be counted. Try again.",
};
/** At work or waiting for one ad, so that its readers leave room for those of the owner's others. */
const MOST_OF_AD = 3;
const asked = new Map<string, number>();

const reading = new RecentUse();

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
export const inStatsTurn: InTurn = (...wanted) => inTurn(COUNTS, ...wanted);

/** As `inStatsTurn`, for a reader of an ad's report who is no member. Throws 429 also if too much waits for the ad. */
export async function inReadersTurn<T>(
  adId: string,
  ...[db, workspaceId, answer, work]: Parameters<typeof inStatsTurn<T>>
): Promise<T> {
  const before = asked.get(adId) ?? 0;
  if (before >= MOST_OF_AD) throw tooManyRequests(RETRY_AFTER_MS, READERS.tooMany);
  asked.set(adId, before + 1);
  try {
    return await inTurn(READERS, db, workspaceId, answer, work);
  } finally {
    const left = (asked.get(adId) ?? 1) - 1;
    if (left === 0) asked.delete(adId);
    else asked.set(adId, left);
  }
}

/** As `inStatsTurn`, the result of reading what may be a long page, in a turn that it shares with the parts of files. */
export const inPageTurn: InTurn = (...wanted) => inTurn(TEXTS, ...wanted);

/** Counts an answer of that many characters that a person reads. */
export function noteReading(personId: string, characters: number): void {
  reading.add(personId, characters);
}

/** The result of reading anything: at once, and as `inPageTurn` for a person who has read much in the last seconds. */
export async function inTurnOfReader<T>(
  personId: string,
  ...[db, workspaceId, answer, work]: Parameters<typeof inPageTurn<T>>
): Promise<T> {
  if (reading.of(personId) <= LIGHT_READER) return await work();
  return await inPageTurn(db, workspaceId, answer, work);
}

/** Reads a part of a file and writes it as text. */
export type PartTurn = <T>(readPart: () => Promise<T>) => Promise<T>;

/** The turns in which the parts of a file are read. Throws 429 if too much waits. */
export async function partTurnsOf(db: Kysely<Tables>, workspaceId: string): Promise<PartTurn> {
  const owner = isHeld(TEXTS) ? await ownerOf(db, workspaceId) : await admit(TEXTS, db, workspaceId);
  return (readPart) => (isHeld(TEXTS) ? readPart() : run(TEXTS, owner, readPart));
}

/** Ends the turn in which a page is read, if there is one: neither a slow reader nor work that waits for another turn keeps it. */
export function endPageTurn(): void {
  TEXTS.held.getStore()?.end();
}

function isHeld({ held }: Kind): boolean {
  return held.getStore()?.isHeld === true;
}

async function run<T>({ turns, held }: Kind, owner: string, work: () => Promise<T>): Promise<T> {
  const { result } = await turns.run(owner, async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const turn = {
      isHeld: true,
      end: () => {
        turn.isHeld = false;
        resolve();
      },
    };
    const result = held.run(turn, work);
    try {
      await Promise.race([result, ended]);
    } finally {
      turn.isHeld = false;
    }
    return { result };
  });
  return await result;
}

async function inTurn<T>(kind: Kind, ...[db, workspaceId, answer, work]: Parameters<typeof inStatsTurn<T>>) {
  if (isHeld(kind)) return await work();
  // Counting may take long, and what the owner reads meanwhile must not wait for it.
  endPageTurn();
  const owner = await admit(kind, db, workspaceId);
  return await run(kind, owner, async () => {
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
