import type { Kysely } from "kysely";
import { type PlaceOf, statement } from "#libs/database/statement.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import { type PageRequest, readPage } from "../pages.ts";
import { selectAds } from "./select.ts";

interface OfWorkspace {
  readonly workspaceId: string;
  /** Not looked at where ads of every status are asked for. */
  readonly status: AdStatus;
}

interface Cut {
  readonly limit: number;
  readonly offset: number;
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
    // The page is cut before anything is joined, so that deep ones do not join all that they skip.
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
