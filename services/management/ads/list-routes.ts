import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type AdRank, isRank } from "#libs/domain/list-orders.ts";
import { invalidInput } from "#libs/http/index.ts";
import { api, forMembers } from "../api/api.ts";
import { asCsvFile } from "../api/csv.ts";
import { cursorAfter } from "../api/pages.ts";
import { inPageTurn, inStatsTurn } from "../api/turns.ts";
import { listFieldIds } from "../catalogue/fields/queries.ts";
import { adsCsv } from "./csv.ts";
import { type AdFilter, listAds, orderOf, READ_AT_A_TIME, searchAds } from "./lists.ts";
import { presentAdWithMeta, presentListedAd } from "./present.ts";
import type { ListedAdRow } from "./queries.ts";
import { isWhole, type RecentCounts, rankedCounts, recentCountsOf } from "./recent-stats.ts";
import type { StatsPorts } from "./stats.ts";

/** The most bytes that the ads of one answer take with their field values, as JSON. */
const MOST_BYTES = 1024 * 1024;

/** A page that the dashboard shows needs no turn. */
const SHORT_PAGE = 25;

/** The list of ads, as pages and as a file. */
export const adListRoutes = (ports: StatsPorts) => ({
  list: forMembers(api.ads.list, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const { include, sort } = input;
    const now = ports.now();
    const isRanked = isRank(sort);
    if (include === "meta" && (isRanked || input.page !== 1)) throw notByCursor();
    const search = (ranked: RecentCounts | null) =>
      searchAds(db, workspaceId, input, new Date(now), input, ranked && [...ranked.keys()]);
    const rank = async (by: AdRank) => {
      const ranked = await rankedCounts(ports.stats, workspaceId, by, now);
      return { ranked, ...(await search(ranked)) };
    };
    const isListed = sort === "newest" && isPlain(input);
    const read = () => (isListed ? listAds(db, workspaceId, input.status, input) : search(null));
    const list = async () =>
      isListed && input.perPage <= SHORT_PAGE
        ? await read()
        : await inPageTurn(db, workspaceId, reply.raw, read);
    const { ranked, envelope, rows } = isRank(sort)
      ? await inStatsTurn(db, workspaceId, reply.raw, () => rank(sort))
      : { ranked: null, ...(await list()) };
    let nextCursor = envelope.nextCursor;
    let items = rows.map(presentListedAd);
    if (include === "meta") {
      const read = () => readWithValues(db, workspaceId, rows);
      const { first, count } = await inPageTurn(db, workspaceId, reply.raw, read);
      items = first;
      if (count < rows.length) nextCursor = cursorAfter(orderOf(sort, null), envelope.page, rows[count - 1]);
    }
    if (!isRanked && input.stats === "none") return { ...envelope, nextCursor, items };

    const ids = items.map(({ id }) => id);
    const isKnown = isRanked && (ranked === null || isWhole(ranked));
    const counts = isKnown ? ranked : await recentCountsOf(ports.stats, workspaceId, ids, now);
    return {
      ...envelope,
      nextCursor,
      items: items.map((item) => ({
        ...item,
        last30Days: counts === null ? null : (counts.get(item.id) ?? { impressions: 0, clicks: 0 }),
      })),
    };
  }),

  export: forMembers(api.ads.export, async ({ input, context: { db, access, reply } }) => {
    const now = ports.now();
    const file = await adsCsv(db, access.workspaceId, { ...input, sort: "newest" }, new Date(now));
    asCsvFile(reply, "ads", now);
    return file;
  }),
});

/** Whether nothing but the status narrows a list. */
function isPlain({ sort: _sort, status: _status, ...narrowing }: AdFilter): boolean {
  const { query, tierId, advertiserId, clientReference, serving, subscription, ids, updatedSince } =
    narrowing;
  const given = [query, tierId, advertiserId, clientReference, serving, subscription, ids, updatedSince];
  return given.every((one) => one === undefined);
}

/** The first of the ads with their field values that fit in an answer together, and how many ads of the list that are. */
async function readWithValues(db: Kysely<Tables>, workspaceId: string, rows: readonly ListedAdRow[]) {
  const fieldIds = await listFieldIds(db, workspaceId);
  const first: ReturnType<typeof presentAdWithMeta>[] = [];
  let bytes = 0;
  for (let count = 0; count < rows.length; count += READ_AT_A_TIME) {
    const some = rows.slice(count, count + READ_AT_A_TIME);
    const ids = some.map(({ id }) => id);
    const values = await readValues(db, workspaceId, ids);
    for (const [index, row] of some.entries()) {
      const own = values.get(row.id);
      if (own === undefined) continue;
      const item = presentAdWithMeta(row, own, fieldIds);
      bytes += Buffer.byteLength(JSON.stringify(item));
      if (first.length > 0 && bytes > MOST_BYTES) return { first, count: count + index };
      first.push(item);
    }
  }
  return { first, count: rows.length };
}

/** The field values of ads by the ads' ids. An ad that was deleted meanwhile has none. */
async function readValues(db: Kysely<Tables>, workspaceId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", sql<string>`any(${ids}::text[])`)
    .select(["id", "meta", "images_elsewhere"])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function notByCursor() {
  const sentence = "Field values come by cursor: without page, and in an order that has one.";
  return invalidInput("INVALID_INPUT", { fieldErrors: { include: [sentence] } });
}
