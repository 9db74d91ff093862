import { isRank } from "#libs/domain/list-orders.ts";
import { invalidInput } from "#libs/http/index.ts";
import { api, forMembers } from "../api/api.ts";
import { asCsvFile } from "../api/csv.ts";
import { cursorAfter } from "../api/pages.ts";
import { listFieldIds } from "../catalogue/fields/queries.ts";
import { adsCsv } from "./csv.ts";
import { type AdFilter, listAds, orderOf, searchAds } from "./lists.ts";
import { presentAdWithMeta, presentListedAd } from "./present.ts";
import { isWhole, rankedCounts, recentCountsOf } from "./recent-stats.ts";
import type { StatsPorts } from "./stats.ts";

/** The most bytes that the ads of one answer take with their field values, as JSON. */
const MOST_BYTES = 1024 * 1024;

/** The list of ads, as pages and as a file. */
export const adListRoutes = (ports: StatsPorts) => ({
  list: forMembers(api.ads.list, async ({ input, context: { db, access } }) => {
    const { workspaceId } = access;
    const { include, sort } = input;
    const now = ports.now();
    const isRanked = isRank(sort);
    if (include === "meta" && (isRanked || input.page !== 1)) throw notByCursor();
    const ranked = isRanked ? await rankedCounts(ports.stats, workspaceId, sort, now) : null;
    const { envelope, rows } =
      sort === "newest" && isPlain(input)
        ? await listAds(db, workspaceId, input.status, input)
        : await searchAds(db, workspaceId, input, new Date(now), input, ranked && [...ranked.keys()]);
    let nextCursor = envelope.nextCursor;
    let items = rows.map(presentListedAd);
    if (include === "meta") {
      const fieldIds = await listFieldIds(db, workspaceId);
      items = withinBytes(rows.map((row) => presentAdWithMeta(row, fieldIds)));
      if (items.length < rows.length) {
        nextCursor = cursorAfter(orderOf(sort, null), envelope.page, rows[items.length - 1]);
      }
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

/** The first items that fit in an answer together, at least one. */
function withinBytes<Item>(items: readonly Item[]): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return index > 0 && bytes > MOST_BYTES;
  });
  return items.slice(0, end === -1 ? items.length : end);
}

function notByCursor() {
  const sentence = "Field values come by cursor: without page, and in an order that has one.";
  return invalidInput("INVALID_INPUT", { fieldErrors: { include: [sentence] } });
}
