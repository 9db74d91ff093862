import type { Kysely, Selectable, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { keptFavicon } from "#libs/domain/web-url.ts";
import type { Sighting } from "#libs/placements/index.ts";

export interface NewWorkspace {
  readonly name: string;
  readonly slug: string;
  readonly websiteUrl: string | null;
  readonly currency: string;
}

/** A person's workspaces with their roles, oldest first. */
export async function listWorkspacesOf(db: Kysely<Tables>, personId: string) {
  return await db
    .selectFrom("workspaces")
    .innerJoin("members", "members.workspace_id", "workspaces.id")
    .where("members.person_id", "=", personId)
    .selectAll("workspaces")
    .select("members.role")
    .orderBy("workspaces.id")
    .execute();
}

/** A workspace, or undefined. */
export async function findWorkspace(db: Kysely<Tables>, workspaceId: string) {
  return await db.selectFrom("workspaces").where("id", "=", workspaceId).selectAll().executeTakeFirst();
}

/**
 * Locks a workspace until the transaction ends, so that two changes of it merge; undefined when there is none. For update,
 * as a new slug needs: a stronger lock later could deadlock with transactions that refer to the row.
 */
export async function lockWorkspace(trx: Transaction<Tables>, workspaceId: string) {
  return await trx
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Values that are left out or undefined stay. */
export type WorkspaceChange = { readonly [K in keyof NewWorkspace]?: NewWorkspace[K] | undefined };

/** Changes a workspace that the transaction has locked. Throws the database's error for a slug that is taken. */
export async function updateWorkspace(
  trx: Transaction<Tables>,
  before: Selectable<Tables["workspaces"]>,
  { name, slug, websiteUrl, currency }: WorkspaceChange,
  now: Date,
): Promise<Selectable<Tables["workspaces"]>> {
  return await trx
    .updateTable("workspaces")
    .set({
      updated_at: now,
      ...(name === undefined ? {} : { name }),
      ...(slug === undefined ? {} : { slug }),
      ...(websiteUrl === undefined
        ? {}
        : { website_url: websiteUrl, favicon_url: keptFavicon(before, websiteUrl) }),
      ...(currency === undefined ? {} : { currency }),
    })
    .where("id", "=", before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Creates a workspace with its Owner; undefined when the slug is taken. */
export async function insertWorkspace(
  trx: Transaction<Tables>,
  workspace: NewWorkspace,
  ownerId: string,
): Promise<Selectable<Tables["workspaces"]> | undefined> {
  const row = await trx
    .insertInto("workspaces")
    .values({
      id: newId("workspace"),
      name: workspace.name,
      slug: workspace.slug,
      website_url: workspace.websiteUrl,
      currency: workspace.currency,
    })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await trx
    .insertInto("members")
    .values({ id: newId("member"), workspace_id: row.id, person_id: ownerId, role: "Owner" })
    .execute();
  return row;
}

/** Several serving processes see a site at once, and one of them is enough. */
const NOTED_EVERY_MS = 60_000;

/** Notes that a site showed the workspace's placements. */
export async function recordSighting(
  db: Kysely<Tables>,
  { workspaceId, host, seenAt }: Sighting,
): Promise<void> {
  if (!isId("workspace", workspaceId)) return;
  await db
    .updateTable("workspaces")
    .set({ site_host: host, site_seen_at: new Date(seenAt) })
    .where("id", "=", workspaceId)
    .where((where) =>
      where.or([
        where("site_seen_at", "is", null),
        where("site_seen_at", "<", new Date(seenAt - NOTED_EVERY_MS)),
      ]),
    )
    .execute();
}

/** A workspace as a member with that role sees it. */
export function presentWorkspace(row: Selectable<Tables["workspaces"]>, role: MemberRole) {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    websiteUrl: row.website_url,
    faviconUrl: row.favicon_url,
    currency: row.currency,
    site:
      row.site_host === null || row.site_seen_at === null
        ? null
        : { host: row.site_host, seenAt: row.site_seen_at.toISOString() },
    role,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A workspace as the audit log has it. */
export function auditedWorkspace({ name, slug, website_url, currency }: Selectable<Tables["workspaces"]>) {
  return { name, slug, websiteUrl: website_url, currency };
}
