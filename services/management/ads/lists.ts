import { type Kysely, sql } from "kysely";
import { type PlaceOf, statement } from "#libs/database/statement.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type AdOrder, type AdRank, isRank } from "#libs/domain/list-orders.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import type { SubscriptionFilter } from "#libs/domain/subscription.ts";
import { isBehind, type Order, orderKey, placeColumn } from "../api/cursor.ts";
import { inOrder, type PageRequest, readPage, readPageOf } from "../api/pages.ts";
import { anyOf, idOrNone } from "../store/any-of.ts";
import { containing } from "../store/like-pattern.ts";
import { isChangedSubscription } from "./changed.ts";
import { selectListedAds, selectListedAdsOf, VALUE_COLUMNS } from "./queries.ts";
import { isSubscription } from "./subscription-filter.ts";

const newest = [orderKey("ads.created_at", "time", "desc"), orderKey("ads.id", "text", "desc")];
const NEWEST: Order = { name: "ads:newest", keys: newest };

/** Characters of an address that a search looks at: those that people know it by. An address may have 2,048. */
const SEARCHED_OF_ADDRESS = 200;

interface OfWorkspace {
  readonly workspaceId: string;
  /** Ignored by the lists of every status. */
  readonly status: AdStatus;
}

const everyAd = listing("ads", false);
const adsOfStatus = listing("ads-of-status", true);

/** One page of a workspace's ads, newest first, of one review status or of all. */
export async function listAds(
  db: Kysely<Tables>,
  workspaceId: string,
  status: AdStatus | undefined,
  request: PageRequest,
) {
  const { page, pageAfter, count } = status === undefined ? everyAd : adsOfStatus;
  const given = { workspaceId, status: status ?? "Pending" };
  return await readPage(db, request, NEWEST, {
    page: (at, { limit, offset, after }) =>
      after === undefined
        ? page(at, { ...given, limit, offset })
        : pageAfter(at, { ...given, limit, createdAt: after.keys[0], id: after.keys[1] }),
    count: async (at) => (await count(at, given))[0]?.total ?? 0,
  });
}

function listing(name: string, ofOneStatus: boolean) {
  const found = (db: Kysely<Tables>, place: PlaceOf<OfWorkspace>) =>
    db
      .selectFrom("ads")
      .where("workspace_id", "=", place("workspaceId"))
      .$if(ofOneStatus, (query) => query.where("status", "=", place("status")));
  // Cut before anything is joined, so that a deep page does not join the rows that it skips.
  const cutOf = (db: Kysely<Tables>, place: PlaceOf<OfWorkspace & { readonly limit: number }>) =>
    found(db, place).select("id").orderBy("created_at", "desc").orderBy("id", "desc").limit(place("limit"));
  const show = (db: Kysely<Tables>, place: PlaceOf<OfWorkspace>, cut: ReturnType<typeof cutOf>) =>
    selectListedAds(db)
      .innerJoin(cut.as("page"), "page.id", "ads.id")
      .where("ads.workspace_id", "=", place("workspaceId"))
      .select([
        found(db, place)
          .select((select) => select.fn.countAll<number>().as("total"))
          .$asScalar()
          .$notNull()
          .as("total"),
        placeColumn(NEWEST),
      ])
      .orderBy("ads.created_at", "desc")
      .orderBy("ads.id", "desc");
  return {
    count: statement<OfWorkspace, { total: number }>(`${name}-count`, (db, place) =>
      found(db, place).select((select) => select.fn.countAll<number>().as("total")),
    ),
    page: statement(`${name}-page`, (db, place: PlaceOf<OfWorkspace & ByNumber>) =>
      show(db, place, cutOf(db, place).offset(place("offset"))),
    ),
    pageAfter: statement(`${name}-page-after`, (db, place: PlaceOf<OfWorkspace & ByCursor>) =>
      show(db, place, cutOf(db, place).where(isBehind(NEWEST, [place("createdAt"), place("id")]))),
    ),
  };
}

interface ByNumber {
  readonly limit: number;
  readonly offset: number;
}

interface ByCursor {
  readonly limit: number;
  readonly createdAt: unknown;
  readonly id: unknown;
}

/** The ads of a search, and their order. An undefined or blank condition excludes none. */
export interface AdFilter {
  readonly status?: AdStatus | undefined;
  readonly query?: string | undefined;
  readonly tierId?: string | undefined;
  readonly advertiserId?: string | undefined;
  readonly clientReference?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly updatedSince?: string | undefined;
  readonly serving?: "yes" | "no" | undefined;
  readonly subscription?: SubscriptionFilter | undefined;
  readonly sort: AdOrder;
}

/** Ids of ads in the order in which they come first; null where an order by counts is unknown. */
type Ranking = readonly string[] | null;

/**
 * One page of the ads that match a filter, as of `now`. Reads all ads of the workspace, unlike `listAds`. `ranking` is the
 * order of a sort by counts.
 */
export async function searchAds(
  db: Kysely<Tables>,
  workspaceId: string,
  filter: AdFilter,
  now: Date,
  request: PageRequest,
  ranking: Ranking = null,
) {
  return await readPageOf(
    db,
    request,
    orderOf(filter.sort, ranking),
    await filtering(db, workspaceId, filter, now),
    (found, columns) => found.select(columns),
  );
}

/**
 * The ids of one page of the ads that match a filter, newest first, uncounted. Who writes all of a search down reads long pages of
 * these, as a search may read all ads of the workspace, and then few ads at a time.
 */
export async function findAdIds(
  db: Kysely<Tables>,
  workspaceId: string,
  filter: AdFilter,
  now: Date,
  page: { readonly perPage: number; readonly after: string | undefined },
) {
  const { envelope, rows } = await readPageOf(
    db,
    { ...page, page: 1, isUncounted: true },
    NEWEST_SEARCHED,
    await filtering(db, workspaceId, filter, now),
    (found, columns) => found.clearSelect().select(["ads.id", ...columns]),
  );
  return { ids: rows.map(({ id }) => id), nextCursor: envelope.nextCursor };
}

/** How many ads are read with their field values at a time: each may have 64 KiB of them. */
export const READ_AT_A_TIME = 16;

/** The ads with these ids with their field values, newest first. */
export async function readAds(db: Kysely<Tables>, workspaceId: string, ids: readonly string[]) {
  const ads = selectListedAdsOf(db, workspaceId)
    .select(VALUE_COLUMNS)
    .where("ads.id", "=", sql<string>`any(${ids}::text[])`);
  return await inOrder(ads, NEWEST, undefined).execute();
}

/**
 * As `newest`, by a key that no index has. In an index's order Postgres expects to find a small page soon, and compares each ad that does
 * not match with every subscription of the workspace: the square of its ads.
 */
const searched = (direction: "asc" | "desc") => [
  orderKey(sql`(ads.created_at + interval '0')`, "time", direction),
  orderKey("ads.id", "text", direction),
];
const NEWEST_SEARCHED: Order = { name: NEWEST.name, keys: searched("desc") };

const ORDERS: Readonly<Record<Exclude<AdOrder, AdRank>, Order>> = {
  newest: NEWEST_SEARCHED,
  oldest: { name: "ads:oldest", keys: searched("asc") },
  name: { name: "ads:name", keys: [orderKey(sql`lower(ads.name)`, "text", "asc"), ...newest] },
  // The heaviest first.
  tier: {
    name: "ads:tier",
    keys: [orderKey("tiers.weight", "number", "desc"), orderKey("tiers.id", "text", "asc"), ...newest],
  },
};

/** The order of a list of ads. */
export function orderOf(sort: AdOrder, ranking: Ranking): Order {
  if (!isRank(sort)) return ORDERS[sort];
  if (ranking === null) return { name: sort, keys: searched("desc"), isMoving: true };
  const places = JSON.stringify(Object.fromEntries(ranking.map((id, place) => [id, place])));
  const place = sql`coalesce((${places}::jsonb ->> ads.id)::int, ${ranking.length})`;
  return { name: sort, keys: [orderKey(place, "number", "asc"), ...newest], isMoving: true };
}

/** The ads that match a filter, as of `now`, and that have changed since its time. */
async function filtering(db: Kysely<Tables>, workspaceId: string, filter: AdFilter, now: Date) {
  const hasChanged = await isChangedSubscription("ads.subscription_id", db, workspaceId, filter.updatedSince);
  return (at: Kysely<Tables>) => filtered(at, workspaceId, filter, now).where(hasChanged);
}

function filtered(db: Kysely<Tables>, workspaceId: string, filter: AdFilter, now: Date) {
  const { status, tierId, advertiserId, clientReference, ids, serving, subscription } = filter;
  const search = filter.query?.trim() ?? "";
  // No joined table is held to the workspace: statistics that do not know it yet make that look so rare that each ad is held against
  // all its subscriptions.
  let ads = selectListedAds(db)
    .where("ads.workspace_id", "=", workspaceId)
    .where((where) => isSubscription(where, subscription));
  if (status !== undefined) ads = ads.where("ads.status", "=", status);
  if (tierId !== undefined) ads = ads.where("tiers.id", "=", idOrNone("tier", tierId));
  if (advertiserId !== undefined) {
    ads = ads.where("advertisers.id", "=", idOrNone("advertiser", advertiserId));
  }
  if (clientReference !== undefined) ads = ads.where("subscriptions.client_reference", "=", clientReference);
  if (ids !== undefined) ads = ads.where("ads.id", "=", anyOf("ad", ids));
  if (search !== "") {
    const pattern = containing(search);
    ads = ads.where((where) =>
      where.or([
        where("ads.name", "ilike", pattern),
        where(sql<string>`left(ads.website_url, ${sql.lit(SEARCHED_OF_ADDRESS)})`, "ilike", pattern),
        // Not the joined columns: for a small page Postgres would compare each ad with every advertiser of the workspace.
        where(
          "subscriptions.advertiser_id",
          "in",
          db
            .selectFrom("advertisers as named")
            .where("named.workspace_id", "=", workspaceId)
            .where((one) =>
              one.or([one("named.name", "ilike", pattern), one("named.email", "ilike", pattern)]),
            )
            .select("named.id"),
        ),
      ]),
    );
  }
  if (serving !== undefined) {
    ads = ads.where((where) => {
      const isServed = where.and([
        where("ads.serving_since", "is not", null),
        where.or([where("ads.serving_until", "is", null), where("ads.serving_until", ">", now)]),
      ]);
      return serving === "yes" ? isServed : where.not(isServed);
    });
  }
  return ads;
}
