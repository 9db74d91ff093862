import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import type { FaviconFinding, Favicons, Icon } from "#libs/favicon/index.ts";
import { removeInSteps } from "../../store/remove-in-steps.ts";

/** Per host and day; for further pages the root's icon is used. */
const MOST_PAGES = 5;

const LONGEST_PAGE = 1_024;

export interface LookUpPorts {
  readonly db: Kysely<Tables>;
  readonly favicons: Favicons;
  readonly logger: Logger;
  readonly now: () => number;
}

/**
 * The icon of the site that an address belongs to. All workspaces together ask a page once per day, and a host for
 * `MOST_PAGES` pages. Throws the reason of `signal` once that aborts.
 */
export async function lookUpFavicon(
  { db, favicons, logger, now }: LookUpPorts,
  websiteUrl: URL,
  signal: AbortSignal,
): Promise<LookUp> {
  let page = pageOf(websiteUrl);
  const known = await findLookup(db, page, now());
  if (known !== null) return known;
  if ((await countPages(db, page.hostname, now())) >= MOST_PAGES) {
    logger.info({ host: page.hostname }, "the site has reached its daily limit: using the icon of its root");
    page = new URL("/", page);
    const ofRoot = await findLookup(db, page, now());
    if (ofRoot !== null) return ofRoot;
  }

  const finding = await favicons.find(page, signal);
  if (finding.kind !== "found") {
    logger.debug({ host: page.hostname, reason: finding.reason }, "no icon of a site was found");
  }
  await recordLookup(db, page, finding, now());
  return finding;
}

/** Without the query, which may identify a visitor or count a click of a campaign. */
function pageOf(websiteUrl: URL): URL {
  const page = new URL(websiteUrl);
  page.search = "";
  page.hash = "";
  return page.href.length > LONGEST_PAGE ? new URL("/", page) : page;
}

/** The outcome of a lookup, new or cached. */
type LookUp = { readonly kind: "found"; readonly icon: Icon } | { readonly kind: "none" | "unreachable" };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long an outcome is cached, for all workspaces. */
const HOLDS_MS = { found: DAY_MS, none: DAY_MS, unreachable: 30 * MINUTE_MS } as const;

/** The cached outcome of a page; null without one that is still valid. */
async function findLookup(db: Kysely<Tables>, page: URL, now: number): Promise<LookUp | null> {
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

/** The number of pages of a host that were requested within a day. */
async function countPages(db: Kysely<Tables>, host: string, now: number) {
  const { pages } = await db
    .selectFrom("favicon_lookups")
    .where("host", "=", host)
    .where("asked_at", ">", new Date(now - DAY_MS))
    .select((select) => select.fn.countAll<number>().as("pages"))
    .executeTakeFirstOrThrow();
  return pages;
}

/** Caches the outcome of a lookup in place of an earlier one. */
async function recordLookup(db: Kysely<Tables>, page: URL, finding: FaviconFinding, now: number) {
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

/** Removes expired outcomes. */
export async function forgetOldLookups(db: Kysely<Tables>, now: Date): Promise<void> {
  await removeInSteps(db, "favicon_lookups", sql`asked_at <= ${new Date(now.getTime() - DAY_MS)}`);
}

/** Removes the outcomes of these addresses' hosts; they are looked up again if others need them. */
export async function forgetLookupsOf(db: Kysely<Tables>, websiteUrls: readonly string[]): Promise<void> {
  const hosts = websiteUrls.flatMap((url) => URL.parse(url)?.hostname ?? []);
  await db.deleteFrom("favicon_lookups").where("host", "=", sql<string>`any(${hosts}::text[])`).execute();
}
