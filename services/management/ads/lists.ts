import { type Kysely, sql } from "kysely";
import type { AD_ORDERS } from "#libs/contract/ads.ts";
import { type PlaceOf, statement } from "#libs/database/statement.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import type { SubscriptionFilter } from "#libs/domain/subscription.ts";
import { type Cut, type PageRequest, readPage, readPageOf } from "../api/pages.ts";
import { containing } from "../store/like-pattern.ts";
import { selectAds } from "./queries.ts";
import { isSubscription } from "./subscription-filter.ts";

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
  const { page, count } = status === undefined ? everyAd : adsOfStatus;
  const given = { workspaceId, status: status ?? "Pending" };
  return await readPage(db, request, {
    page: (at, cut) => page(at, { ...given, ...cut }),
    count: async (at) => (await count(at, given))[0]?.total ?? 0,
  });
}

function listing(name: string, ofOneStatus: boolean) {
  return {
    count: statement<OfWorkspace, { total: number }>(`${name}-count`, (db, place) =>
      db
        .selectFrom("ads")
        .where("workspace_id", "=", place("workspaceId"))
        .$if(ofOneStatus, (query) => query.where("status", "=", place("status")))
        .select((select) => select.fn.countAll<number>().as("total")),
    ),
    // Cut before anything is joined, so that a deep page does not join the rows that it skips.
    page: statement(`${name}-page`, (db, place: PlaceOf<OfWorkspace & Cut>) => {
      const found = db
        .selectFrom("ads")
        .where("workspace_id", "=", place("workspaceId"))
        .$if(ofOneStatus, (query) => query.where("status", "=", place("status")));
      const cut = found
        .select("id")
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(place("limit"))
        .offset(place("offset"));
      return selectAds(db)
        .innerJoin(cut.as("page"), "page.id", "ads.id")
        .where("ads.workspace_id", "=", place("workspaceId"))
        .select(
          found
            .select((select) => select.fn.countAll<number>().as("total"))
            .$asScalar()
            .$notNull()
            .as("total"),
        )
        .orderBy("ads.created_at", "desc")
        .orderBy("ads.id", "desc");
    }),
  };
}

/** The ads of a search, and their order. An undefined or blank condition excludes none. */
interface AdFilter {
  readonly status?: AdStatus | undefined;
  readonly query?: string | undefined;
  readonly tierId?: string | undefined;
  readonly advertiserId?: string | undefined;
  readonly serving?: "yes" | "no" | undefined;
  readonly subscription?: SubscriptionFilter | undefined;
  readonly sort: (typeof AD_ORDERS)[number];
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
    (at) => filtered(at, workspaceId, filter, now),
    (found, total) => {
      const shown = found.select(total);
      const { sort } = filter;
      if (sort === "oldest") return shown.orderBy("ads.created_at").orderBy("ads.id");
      const places =
        ranking === null ? null : JSON.stringify(Object.fromEntries(ranking.map((id, place) => [id, place])));
      const ordered =
        sort === "name"
          ? shown.orderBy((expression) => expression.fn("lower", ["ads.name"]))
          : sort === "tier"
            ? shown.orderBy("tiers.weight", "desc").orderBy("tiers.id")
            : places === null
              ? shown
              : shown.orderBy(sql`(${places}::jsonb ->> ads.id)::int nulls last`);
      return ordered.orderBy("ads.created_at", "desc").orderBy("ads.id", "desc");
    },
  );
}

function filtered(db: Kysely<Tables>, workspaceId: string, filter: AdFilter, now: Date) {
  const { status, tierId, advertiserId, serving, subscription } = filter;
  const search = filter.query?.trim() ?? "";
  // On every joined table, so that Postgres searches none of them across workspaces.
  let ads = selectAds(db)
    .where("ads.workspace_id", "=", workspaceId)
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("tiers.workspace_id", "=", workspaceId)
    .where("prices.workspace_id", "=", workspaceId)
    .where("advertisers.workspace_id", "=", workspaceId)
    .where((where) => isSubscription(where, subscription));
  if (status !== undefined) ads = ads.where("ads.status", "=", status);
  // A malformed id counts as one that does not exist, and never reaches Postgres, which may reject it.
  if (tierId !== undefined) ads = ads.where("tiers.id", "=", isId("tier", tierId) ? tierId : "");
  if (advertiserId !== undefined) {
    ads = ads.where("advertisers.id", "=", isId("advertiser", advertiserId) ? advertiserId : "");
  }
  if (search !== "") {
    ads = ads.where((where) =>
      where.or([
        where("ads.name", "ilike", containing(search)),
        where("ads.website_url", "ilike", containing(search)),
        where("advertisers.name", "ilike", containing(search)),
        where("advertisers.email", "ilike", containing(search)),
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
