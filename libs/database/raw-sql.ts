import type { RawNode } from "kysely";

/** Words after which a statement names a table. */
const NAMES_TABLES = /\b(?:from|join|update|into|using|table)\b/;
const LITERAL = /'[^']*'/g;
/** The queue's own view, which no workspace's rows are in; the `where` behind it leaves no room for another table. */
const READS_JOBS = /\bfrom graphile_worker\.jobs where\b/g;
/** Longer texts are not looked at, and refused. */
const LONGEST_TEXT = 4_000;

/**
 * Whether hand-written SQL could reach a table: it has a word after which tables are named, other than a `from` whose
 * query the builder has made.
 */
export function couldNameTables({ sqlFragments, parameters }: RawNode): boolean {
  return sqlFragments.some((fragment, index) => {
    if (fragment.length > LONGEST_TEXT) return true;
    const text = fragment.toLowerCase().replaceAll(LITERAL, "''").replaceAll(READS_JOBS, "");
    const readsQuery = parameters[index]?.kind === "SelectQueryNode" && /\bfrom\s+$/.test(text);
    return NAMES_TABLES.test(readsQuery ? text.trimEnd().slice(0, -"from".length) : text);
  });
}

/** Whether a statement that is all hand-written asks for a value, and does nothing else. */
export function asksForValue({ sqlFragments: [start = ""] }: RawNode): boolean {
  return /^\s*select\b/i.test(start.slice(0, LONGEST_TEXT));
}
