import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { StatsWindow } from "#libs/domain/stats-window.ts";
import type { CountDifference, CountedAd, StatsStore } from "#libs/stats-store/index.ts";
import { monthsOf } from "./days.ts";
import { type Difference, MOST_HELD } from "./difference.ts";

/** Compares `events` with its sums, a month at a time. */
export async function* compareCounts(
  stats: Pick<StatsStore, "countDifferences">,
  days: StatsWindow,
): AsyncGenerator<Difference> {
  for (const month of monthsOf(days)) {
    for (const one of await stats.countDifferences(month, MOST_HELD)) yield describeCounts(one);
  }
}

/** While events arrive all counts grow, so the signature has only the distances between them. */
export function describeCounts(one: CountDifference): Difference {
  const { workspaceId, adId, day, kind, verdict, events, daily, quarter, wide } = one;
  const compared = { daily, quarter, ...(wide === null ? {} : { wide }) };
  const distances = Object.values(compared).map((sum) => events - sum);
  const sums = Object.entries(compared)
    .map(([table, sum]) => `${table} has ${sum}`)
    .join(", ");
  return {
    signature: [workspaceId, adId, day, kind, verdict, ...distances].join(" "),
    message: `${day}, ${adId} of ${workspaceId}, ${kind} (${verdict}): events has ${events}, ${sums}.`,
  };
}

const PAGE = 1_000;

/** What the database has of the workspaces and ads of a page. */
export interface KnownAds {
  readonly ads: ReadonlySet<string>;
  readonly workspaces: ReadonlySet<string>;
  /** Deleted workspaces; the product still removes their counts, also those of events that arrive late. */
  readonly erased: ReadonlySet<string>;
}

/** Finds ads that have counts but are not in Postgres, a page at a time. */
export async function* compareAds(
  db: Kysely<Tables>,
  stats: Pick<StatsStore, "countedAds">,
): AsyncGenerator<Difference> {
  let last: CountedAd | null = null;
  do {
    const page: CountedAd[] = await stats.countedAds(last, PAGE);
    yield* unknownAds(page, await selectKnown(db, page));
    last = page.length < PAGE ? null : (page.at(-1) ?? null);
  } while (last !== null);
}

/** An unknown workspace gives one difference, not one per ad. */
export function unknownAds(page: readonly CountedAd[], known: KnownAds): Difference[] {
  return page.flatMap(({ workspaceId, adId }) => {
    if (known.erased.has(workspaceId) || known.ads.has(`${workspaceId} ${adId}`)) return [];
    const message = known.workspaces.has(workspaceId)
      ? `${adId} of ${workspaceId} has counts, and the database has no such ad.`
      : `${workspaceId} has counts, and the database has no such workspace.`;
    return [{ signature: message, message }];
  });
}

async function selectKnown(db: Kysely<Tables>, page: readonly CountedAd[]): Promise<KnownAds> {
  if (page.length === 0) return { ads: new Set(), workspaces: new Set(), erased: new Set() };
  const workspaceIds = [...new Set(page.map(({ workspaceId }) => workspaceId))];
  const ads = await db
    .selectFrom("ads")
    .where(
      "id",
      "in",
      page.map(({ adId }) => adId),
    )
    .select(["id", "workspace_id"])
    .execute();
  const workspaces = await db.selectFrom("workspaces").where("id", "in", workspaceIds).select("id").execute();
  const erased = await db
    .selectFrom("erased_workspaces")
    .where("id", "in", workspaceIds)
    .select("id")
    .execute();
  return {
    ads: new Set(ads.map(({ id, workspace_id }) => `${workspace_id} ${id}`)),
    workspaces: new Set(workspaces.map(({ id }) => id)),
    erased: new Set(erased.map(({ id }) => id)),
  };
}
