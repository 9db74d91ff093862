import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";

/**
 * A MergeTree insert first notes its token in the table's deduplication log, then renames its part into place. A
 * process killed in between leaves a token without rows, and the repeated insert would be dropped: events lost.
 * ClickHouse does not look for this when it opens a table, so it is looked for here, before the folder is opened.
 *
 * A log has lines of `operation <tab> part <tab> block`, operation 1 adding and 2 dropping
 * (MergeTreeDeduplicationLog.cpp). A part is `partition_min_max_level`; merged parts cover those they were made of.
 */
const ADD = "1";
const DROP = "2";

/** Inserts run on a handful of sessions; what was cut short is among the last lines. */
const LAST_LINES = 100;

/** Forgets the tokens of inserts that were cut short in a closed data folder, in every table. Returns how many. */
export function forgetCutShortInserts(dataDir: string): number {
  const store = join(dataDir, "store");
  if (!existsSync(store)) return 0;
  let forgotten = 0;
  for (const group of readdirSync(store)) {
    for (const table of readdirSync(join(store, group))) {
      const folder = join(store, group, table);
      if (existsSync(join(folder, "deduplication_logs"))) forgotten += forgetInTable(folder);
    }
  }
  return forgotten;
}

function forgetInTable(folder: string): number {
  const logs = readdirSync(join(folder, "deduplication_logs"))
    .flatMap((name) => /^deduplication_log_([1-9]\d*)\.txt$/.exec(name)?.[1] ?? [])
    .sort((a, b) => Number(a) - Number(b))
    .map((number) => join(folder, "deduplication_logs", `deduplication_log_${number}.txt`));
  const newest = logs.at(-1);
  if (newest === undefined) return 0;
  cutTornLine(newest);

  // The last insert before a rotation is in the log before the newest.
  const lines = logs.slice(-2).flatMap((log) => readFileSync(log, "utf8").split("\n").slice(0, -1));
  const parts = readdirSync(folder).flatMap((name) => readPart(name) ?? []);
  const orphans = tokensWithoutPart(lines.slice(-LAST_LINES), parts);
  appendFileSync(newest, orphans.map(({ part, block }) => `${DROP}\t${part}\t${block}\n`).join(""), {
    flush: true,
  });
  return orphans.length;
}

function cutTornLine(log: string): void {
  const bytes = readFileSync(log);
  const end = bytes.lastIndexOf("\n") + 1;
  if (end < bytes.length) truncateSync(log, end);
}

interface Token {
  readonly part: string;
  readonly block: string;
}

function tokensWithoutPart(lines: readonly string[], parts: readonly Part[]): Token[] {
  const tokens = new Map<string, Token>();
  for (const line of lines) {
    const [operation, part, block] = line.split("\t");
    if (part === undefined || block === undefined) continue;
    if (operation === ADD) tokens.set(block, { part, block });
    else tokens.delete(block);
  }
  return [...tokens.values()].filter(({ part: name }) => {
    const part = readPart(name);
    return part !== null && !parts.some((other) => covers(other, part));
  });
}

interface Part {
  readonly partition: string;
  readonly min: number;
  readonly max: number;
}

/** Null for what is no part in place, such as `tmp_insert_…`. */
function readPart(name: string): Part | null {
  const [, partition, min, max] = /^([0-9a-z-]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? [];
  return partition === undefined ? null : { partition, min: Number(min), max: Number(max) };
}

function covers(whole: Part, part: Part): boolean {
  return whole.partition === part.partition && whole.min <= part.min && whole.max >= part.max;
}
