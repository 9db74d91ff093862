import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ActorKind } from "#libs/domain/audit.ts";
import { type Order, orderKey } from "../api/cursor.ts";
import { type PageRequest, readPageOf } from "../api/pages.ts";

/** The changes to list; an undefined condition excludes none. */
export interface ChangeFilter {
  /** `notProcessor`: everybody's but the payment processor's. */
  readonly actorKind?: ActorKind | "notProcessor" | undefined;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly resourceKind?: string | undefined;
  readonly resourceId?: string | undefined;
  /** ISO 8601; `from` is included, `until` is not. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

export type ChangeRow = Awaited<ReturnType<typeof listChanges>>["rows"][number];

const NEWEST: Order = { name: "audit-log:newest", keys: [orderKey("audit_log.id", "text", "desc")] };

/** One page of a workspace's changes, newest first. A filter reads all changes of the workspace. */
export async function listChanges(
  db: Kysely<Tables>,
  workspaceId: string,
  filter: ChangeFilter,
  page: PageRequest,
) {
  const { actorKind, actorId, action, resourceKind, resourceId, from, until } = filter;
  return await readPageOf(
    db,
    page,
    NEWEST,
    (at) => {
      let found = at.selectFrom("audit_log").where("workspace_id", "=", workspaceId);
      if (actorKind === "notProcessor") found = found.where("actor_kind", "!=", "processor");
      else if (actorKind !== undefined) found = found.where("actor_kind", "=", actorKind);
      if (actorId !== undefined) found = found.where("actor_id", "=", actorId);
      if (action !== undefined) found = found.where("action", "=", action);
      if (resourceKind !== undefined) found = found.where("resource_kind", "=", resourceKind);
      if (resourceId !== undefined) found = found.where("resource_id", "=", resourceId);
      if (from !== undefined) found = found.where("occurred_at", ">=", new Date(from));
      if (until !== undefined) found = found.where("occurred_at", "<", new Date(until));
      return found;
    },
    (found, columns) => found.selectAll().select(columns),
  );
}

/** Whose ad or subscription an entry is about. */
export interface Subject {
  readonly ad: { readonly id: string; readonly name: string } | null;
  readonly advertiser: { readonly id: string; readonly name: string };
}

/** The subjects of entries by the id of their resource, with their current names; absent if the subject is gone. */
export async function findSubjects(
  db: Kysely<Tables>,
  workspaceId: string,
  entries: readonly Pick<ChangeRow, "resource_id">[],
): Promise<ReadonlyMap<string, Subject>> {
  const ids = [...new Set(entries.map(({ resource_id }) => resource_id))];
  const idsOf = (prefix: string) => ids.filter((id) => id.startsWith(prefix));
  const submitted = await db
    .selectFrom("ads")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", anyOf(idsOf("ad_")))
    .select("subscription_id")
    .execute();
  const bought = await db
    .selectFrom("subscriptions")
    .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
    .leftJoin("ads", "ads.subscription_id", "subscriptions.id")
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where(
      "subscriptions.id",
      "=",
      anyOf([...idsOf("sub_"), ...submitted.map(({ subscription_id }) => subscription_id)]),
    )
    .select([
      "subscriptions.id as subscription_id",
      "advertisers.id as advertiser_id",
      "advertisers.name as advertiser_name",
      "ads.id as ad_id",
      "ads.name as ad_name",
    ])
    .execute();
  const named = await db
    .selectFrom("advertisers")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", anyOf(idsOf("adv_")))
    .select(["id", "name"])
    .execute();
  const found = new Map<string, Subject>(
    named.map(({ id, name }) => [id, { ad: null, advertiser: { id, name } }]),
  );
  for (const row of bought) {
    const subject = {
      ad: row.ad_id === null || row.ad_name === null ? null : { id: row.ad_id, name: row.ad_name },
      advertiser: { id: row.advertiser_id, name: row.advertiser_name },
    };
    found.set(row.subscription_id, subject);
    if (row.ad_id !== null) found.set(row.ad_id, subject);
  }
  return found;
}

function anyOf(ids: readonly string[]) {
  return sql<string>`any(${ids}::text[])`;
}
