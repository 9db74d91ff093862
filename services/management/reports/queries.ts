import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { NamedDimension } from "#libs/domain/report-dimensions.ts";
import { anyOf } from "../store/any-of.ts";

/** The time zone of a workspace's reports; null for UTC. */
export async function findTimeZone(db: Kysely<Tables>, workspaceId: string): Promise<string | null> {
  const found = await db
    .selectFrom("workspaces")
    .select("time_zone")
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  return found?.time_zone ?? null;
}

/** Every ad of a workspace, with its advertiser and tier. */
export async function listOwners(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectFrom("ads")
    .innerJoin("subscriptions", (join) =>
      join
        .onRef("subscriptions.id", "=", "ads.subscription_id")
        .onRef("subscriptions.workspace_id", "=", "ads.workspace_id"),
    )
    .where("ads.workspace_id", "=", workspaceId)
    .select(["ads.id as ad", "subscriptions.advertiser_id as advertiser", "subscriptions.tier_id as tier"])
    .execute();
}
export type Owners = Awaited<ReturnType<typeof listOwners>>;

const TABLES = { ad: "ads", advertiser: "advertisers", tier: "tiers" } as const;

/** The names of ads, advertisers or tiers by id; unknown ids are absent. */
export async function findNames(
  db: Kysely<Tables>,
  workspaceId: string,
  dimension: NamedDimension,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom(TABLES[dimension])
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", anyOf(dimension, ids))
    .select(["id", "name"])
    .execute();
  return new Map(found.map(({ id, name }) => [id, name]));
}
