import type { RawNode } from "kysely";

/** Keywords that a table name follows. */
const NAMES_TABLES = /\b(?:from|join|update|into|using|table)\b/;
const LITERAL = /'[^']*'/g;
/** The queue's own view, which has no rows of workspaces. The pattern includes `where`, so no second table can follow. */
const READS_JOBS = /\bfrom graphile_worker\.jobs where\b/g;
/** Longer SQL is refused unread. */
const LONGEST_TEXT = 4_000;

/** Whether hand-written SQL could name a table: by a keyword before tables, except the `from` of a kysely subquery. */
export function couldNameTables({ sqlFragments, parameters }: RawNode): boolean {
  return sqlFragments.some((fragment, index) => {
    if (fragment.length > LONGEST_TEXT) return true;
    const text = fragment.toLowerCase().replaceAll(LITERAL, "''").replaceAll(READS_JOBS, "");
    const readsQuery = parameters[index]?.kind === "SelectQueryNode" && /\bfrom\s+$/.test(text);
    return NAMES_TABLES.test(readsQuery ? text.trimEnd().slice(0, -"from".length) : text);
  });
}

/** Whether an entirely hand-written statement is a `select`. */
export function asksForValue({ sqlFragments: [start = ""] }: RawNode): boolean {
  return /^\s*select\b/i.test(start.slice(0, LONGEST_TEXT));
}
