import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { makeFolderDurably, renameDurably, writeDurably } from "#libs/files/index.ts";
import { covers, notedParts, type Part, readPart, tablesWithTokens } from "./deduplication-log.ts";

/**
 * MergeTree syncs a part, and never the token of its insert. A power failure in between leaves rows without a token, and
 * the repeated insert would store them a second time: events doubled. So the server syncs the tokens before it answers an
 * insert (`durable-statements.ts`), and a part without a token is of an insert that was never answered and will be repeated.
 * Here it is set aside, before the folder is opened.
 *
 * Some parts never have a token: of inserts that ask for none. The newest block of each table is therefore noted in a file
 * after every other statement and at every opening; blocks up to it are confirmed whatever the log says.
 */
const CONFIRMED = "confirmed-blocks.json";
const confirmedBlocks = z.record(z.string(), z.int());

/** Sets aside what power failures have left in a closed data folder, in every table. Returns how many parts. */
export async function setUnconfirmedAside(dataDir: string): Promise<number> {
  const confirmed = readConfirmed(dataDir);
  let count = 0;
  for (const folder of tablesWithTokens(dataDir)) {
    const unconfirmed = findUnconfirmed(
      partsIn(folder),
      notedParts(folder),
      confirmed[basename(folder)] ?? Number.POSITIVE_INFINITY,
    );
    if (unconfirmed.length > 0) await makeFolderDurably(join(folder, "detached"));
    for (const { name } of unconfirmed) {
      await renameDurably(join(folder, name), join(folder, "detached", `unconfirmed_${name}_${Date.now()}`));
    }
    count += unconfirmed.length;
  }
  await noteConfirmed(dataDir);
  return count;
}

/** Records that everything in the tables now is confirmed. No insert with a token may be in progress. */
export async function noteConfirmed(dataDir: string): Promise<void> {
  const newest = tablesWithTokens(dataDir).map((folder) => [
    basename(folder),
    partsIn(folder).reduce((most, { max }) => Math.max(most, max), 0),
  ]);
  await writeDurably(join(dataDir, CONFIRMED), JSON.stringify(Object.fromEntries(newest)));
}

/**
 * The parts of a table that hold a block without a token, above the `confirmed` blocks and above every block with a token. A
 * merged part is among them only if the parts that it was made of can take its place.
 *
 * A power failure leaves at most one insert without tokens: the last one, with one part per month. If more lack a token, the
 * deduplication log has lost some. Nobody repeats those inserts, so their parts stay.
 */
export function findUnconfirmed(parts: readonly Part[], noted: readonly Part[], confirmed: number): Part[] {
  const above = noted.reduce((most, { min }) => Math.max(most, min), confirmed);
  const lonely = parts.filter(({ min, max }) => min === max && min > above);
  const unconfirmed = parts.filter((part) => lonely.some((one) => covers(part, one)));
  const rest = parts.filter((part) => !unconfirmed.includes(part));
  const isReplaced = (part: Part) =>
    noted.every((one) => !covers(part, one) || rest.some((other) => covers(other, one))) &&
    [...rest, ...lonely].some((other) => covers(part, other) && other.min === part.min);
  const isLogLost = (noted.length === 0 && rest.length > 0) || !isOneInsert(lonely);
  return !isLogLost && unconfirmed.every(isReplaced) ? unconfirmed.toSorted(byBlocks) : [];
}

/** Whether the parts have at most one block per month. Parts of the same block, merged or mutated, count once. */
function isOneInsert(parts: readonly Part[]): boolean {
  const blocks = new Map(parts.map(({ partition, min }) => [`${partition} ${min}`, partition]));
  return new Set(blocks.values()).size === blocks.size;
}

/** Merged ones first: once its sources are set aside, a merged part is no longer recognized. */
function byBlocks(one: Part, other: Part): number {
  return other.max - other.min - (one.max - one.min);
}

function partsIn(folder: string): Part[] {
  return readdirSync(folder).flatMap((name) => readPart(name) ?? []);
}

function readConfirmed(dataDir: string): z.infer<typeof confirmedBlocks> {
  const file = join(dataDir, CONFIRMED);
  if (!existsSync(file)) return {};
  return confirmedBlocks.parse(JSON.parse(readFileSync(file, "utf8")));
}
