import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FaviconFinding } from "#libs/favicon/index.ts";
import type { LookUp } from "./look-up.ts";

/** What still holds at a moment, in milliseconds since the epoch. */
export interface Recently {
  readonly now: number;
  readonly holdsMs: { readonly found: number; readonly none: number; readonly unreachable: number };
}

/** What the last look at a page has come to, null where it was never asked or that holds no more. */
export async function findLookup(
  db: Kysely<Tables>,
  page: string,
  { now, holdsMs }: Recently,
): Promise<LookUp | null> {
  const row = await db.selectFrom("favicon_lookups").where("page", "=", page).selectAll().executeTakeFirst();
  if (row === undefined || now - row.asked_at.getTime() >= holdsMs[row.outcome]) return null;
  if (row.outcome !== "found") return { kind: row.outcome };
  if (row.content_type === null || row.bytes === null) return null;
  return { kind: "found", icon: { contentType: row.content_type, bytes: row.bytes } };
}

/** Of how many pages a host was asked for within the longest time that an outcome holds. */
export async function countPages(
  db: Kysely<Tables>,
  host: string,
  { now, holdsMs }: Recently,
): Promise<number> {
  const since = new Date(now - Math.max(...Object.values(holdsMs)));
  const { pages } = await db
    .selectFrom("favicon_lookups")
    .where("host", "=", host)
    .where("asked_at", ">", since)
    .select((select) => select.fn.countAll<number>().as("pages"))
    .executeTakeFirstOrThrow();
  return pages;
}

/** Remembers what a look at a page has come to, in the place of an earlier one. */
export async function recordLookup(
  db: Kysely<Tables>,
  page: URL,
  finding: FaviconFinding,
  now: number,
): Promise<void> {
  const icon = finding.kind === "found" ? finding.icon : null;
  const values = {
    host: page.hostname,
    outcome: finding.kind,
    content_type: icon?.contentType ?? null,
    bytes: icon?.bytes ?? null,
    asked_at: new Date(now),
  };
  await db
    .insertInto("favicon_lookups")
    .values({ page: page.href, ...values })
    .onConflict((conflict) => conflict.column("page").doUpdateSet(values))
    .execute();
}

/** Removes what holds no more. */
export async function forgetOldLookups(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom("favicon_lookups").where("asked_at", "<", before).execute();
}
