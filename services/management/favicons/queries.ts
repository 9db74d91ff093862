import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FaviconFinding, Icon } from "#libs/favicon/index.ts";

/** What a look at a site has come to, now or some time before. */
export type LookUp =
  | { readonly kind: "found"; readonly icon: Icon }
  | { readonly kind: "none" | "unreachable" };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long an outcome holds before the page is asked again, by any workspace. */
const HOLDS_MS = { found: DAY_MS, none: DAY_MS, unreachable: 30 * MINUTE_MS } as const;

/** What the last look at a page has come to, null where it was never asked or that holds no more. */
export async function findLookup(db: Kysely<Tables>, page: URL, now: number): Promise<LookUp | null> {
  const row = await db
    .selectFrom("favicon_lookups")
    .where("page", "=", page.href)
    .selectAll()
    .executeTakeFirst();
  if (row === undefined || now - row.asked_at.getTime() >= HOLDS_MS[row.outcome]) return null;
  if (row.outcome !== "found") return { kind: row.outcome };
  if (row.content_type === null || row.bytes === null) return null;
  return { kind: "found", icon: { contentType: row.content_type, bytes: row.bytes } };
}

/** Of how many pages a host was asked for within a day. */
export async function countPages(db: Kysely<Tables>, host: string, now: number): Promise<number> {
  const { pages } = await db
    .selectFrom("favicon_lookups")
    .where("host", "=", host)
    .where("asked_at", ">", new Date(now - DAY_MS))
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
export async function forgetOldLookups(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .deleteFrom("favicon_lookups")
    .where("asked_at", "<=", new Date(now.getTime() - DAY_MS))
    .execute();
}

/** Removes what looks at these addresses' hosts have come to; they are looked up again where others need them. */
export async function forgetLookupsOf(db: Kysely<Tables>, websiteUrls: readonly string[]): Promise<void> {
  const hosts = websiteUrls.flatMap((url) => URL.parse(url)?.hostname ?? []);
  await db.deleteFrom("favicon_lookups").where("host", "=", sql<string>`any(${hosts}::text[])`).execute();
}
