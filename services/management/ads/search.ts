import type { Kysely } from "kysely";
import type { AD_ORDERS } from "#libs/contract/ads.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import { containing } from "../containing.ts";
import { type PageRequest, readPageOf } from "../pages.ts";
import { selectAds } from "./select.ts";

/** Which ads are meant, and in which order. What is undefined or blank leaves none out. */
export interface AdFilter {
  readonly status?: AdStatus | undefined;
  readonly query?: string | undefined;
  readonly tierId?: string | undefined;
  readonly advertiserId?: string | undefined;
  readonly serving?: "yes" | "no" | undefined;
  readonly sort: (typeof AD_ORDERS)[number];
}

/** One page of the ads that a filter leaves, as of `now`. Reads all that the workspace has; `listAds` does not. */
export async function searchAds(
  db: Kysely<Tables>,
  workspaceId: string,
  filter: AdFilter,
  now: Date,
  request: PageRequest,
) {
  return await readPageOf(
    db,
    request,
    (at) => filtered(at, workspaceId, filter, now),
    (found, total) => {
      const shown = found.select(total);
      const { sort } = filter;
      if (sort === "oldest") return shown.orderBy("ads.created_at").orderBy("ads.id");
      const ordered =
        sort === "name"
          ? shown.orderBy((expression) => expression.fn("lower", ["ads.name"]))
          : sort === "tier"
            ? shown.orderBy("tiers.weight", "desc").orderBy("tiers.id")
            : shown;
      return ordered.orderBy("ads.created_at", "desc").orderBy("ads.id", "desc");
    },
  );
}

function filtered(db: Kysely<Tables>, workspaceId: string, filter: AdFilter, now: Date) {
  const { status, tierId, advertiserId, serving } = filter;
  const search = filter.query?.trim() ?? "";
  // Said of all that is joined, so that none of it is looked for among everybody's.
  let ads = selectAds(db)
    .where("ads.workspace_id", "=", workspaceId)
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("tiers.workspace_id", "=", workspaceId)
    .where("prices.workspace_id", "=", workspaceId)
    .where("advertisers.workspace_id", "=", workspaceId);
  if (status !== undefined) ads = ads.where("ads.status", "=", status);
  // A malformed id is one that does not exist, and what Postgres would choke on never gets there.
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
