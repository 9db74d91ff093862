import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";

/**
 * A MergeTree insert first writes its token in the table's deduplication log, then renames its part into place. A
 * process killed in between leaves a token without rows, and the repeated insert would be dropped: events lost.
 * ClickHouse does not check for this when it opens a table, so this is checked here, before the folder is opened.
 *
 * A log has lines of `operation <tab> part <tab> block`, operation 1 adding and 2 dropping
 * (MergeTreeDeduplicationLog.cpp).
 */
const ADD = "1";
const DROP = "2";

/** Inserts run on a handful of sessions, so interrupted ones are among the last lines. */
const LAST_LINES = 100;

/** Forgets the tokens of inserts that were cut short in a closed data folder, in every table. Returns how many. */
export function forgetCutShortInserts(dataDir: string): number {
  return tablesWithTokens(dataDir).reduce((sum, folder) => sum + forgetInTable(folder), 0);
}

/** The folders of all tables that remember tokens. */
export function tablesWithTokens(dataDir: string): string[] {
  const store = join(dataDir, "store");
  if (!existsSync(store)) return [];
  return readdirSync(store)
    .flatMap((group) => readdirSync(join(store, group)).map((table) => join(store, group, table)))
    .filter((folder) => existsSync(join(folder, "deduplication_logs")));
}

/** The files of a table's deduplication log, oldest first. */
export function deduplicationLogs(folder: string): string[] {
  return readdirSync(join(folder, "deduplication_logs"))
    .flatMap((name) => /^deduplication_log_([1-9]\d*)\.txt$/.exec(name)?.[1] ?? [])
    .sort((a, b) => Number(a) - Number(b))
    .map((number) => join(folder, "deduplication_logs", `deduplication_log_${number}.txt`));
}

/** The parts that the log notes a token for, dropped or not. */
export function notedParts(folder: string): Part[] {
  return deduplicationLogs(folder)
    .flatMap((log) => readFileSync(log, "utf8").split("\n"))
    .flatMap((line) => {
      const [operation, part = ""] = line.split("\t");
      return operation === ADD ? (readPart(part) ?? []) : [];
    });
}

function forgetInTable(folder: string): number {
  const logs = deduplicationLogs(folder);
  const newest = logs.at(-1);
  if (newest === undefined) return 0;
  cutTornLines(newest);

  // The last insert before a rotation is in the log before the newest.
  const lines = logs.slice(-2).flatMap((log) => readFileSync(log, "utf8").split("\n").slice(0, -1));
  const parts = readdirSync(folder).flatMap((name) => readPart(name) ?? []);
  const orphans = tokensWithoutPart(lines.slice(-LAST_LINES), parts);
  appendFileSync(newest, orphans.map(({ part, block }) => `${DROP}\t${part}\t${block}\n`).join(""), {
    flush: true,
  });
  return orphans.length;
}

/** After a power failure a block of the file may hold zeros, also with a whole line behind it. */
function cutTornLines(log: string): void {
  const bytes = readFileSync(log);
  const zero = bytes.indexOf(0);
  const end = (zero < 0 ? bytes : bytes.subarray(0, zero)).lastIndexOf("\n") + 1;
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

/** A part of a table, by the name of its folder: `partition_min_max_level`, and the number of a mutation behind it. */
export interface Part {
  readonly name: string;
  readonly partition: string;
  /** The first and the last of the inserted blocks that it holds; numbers are the table's own and only grow. */
  readonly min: number;
  readonly max: number;
}

/** Null for other names, such as `tmp_insert_…`. */
export function readPart(name: string): Part | null {
  const [, partition, min, max] = /^([0-9a-z-]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? [];
  return partition === undefined ? null : { name, partition, min: Number(min), max: Number(max) };
}

/** Whether the part holds every block of the other. A merged part covers those that it was made of. */
export function covers(whole: Part, part: Part): boolean {
  return whole.partition === part.partition && whole.min <= part.min && whole.max >= part.max;
}
