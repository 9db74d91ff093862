import type { Kysely, Selectable, Transaction } from "kysely";
import type { Tables, WorkspacesTable } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import { keptFavicon } from "../favicons/owner.ts";

export interface NewWorkspace {
  readonly name: string;
  readonly slug: string;
  readonly websiteUrl: string | null;
  readonly currency: string;
}

/** The workspaces that a person is a member of, and as what, oldest first. */
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
 * Locks a workspace until the transaction ends, so that two changes of it merge; undefined when there is none. Fully, as
 * a new slug needs: to lock more once others refer to the row could end in a deadlock with them.
 */
export async function lockWorkspace(trx: Transaction<Tables>, workspaceId: string) {
  return await trx
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** What is left out or undefined stays. */
export type WorkspaceChange = { readonly [K in keyof NewWorkspace]?: NewWorkspace[K] | undefined };

/**
 * Writes what is given into a workspace that the transaction has locked, and leaves the rest. Throws the database's
 * refusal of a slug that is taken.
 */
export async function updateWorkspace(
  trx: Transaction<Tables>,
  before: Selectable<WorkspacesTable>,
  { name, slug, websiteUrl, currency }: WorkspaceChange,
  now: Date,
): Promise<Selectable<WorkspacesTable>> {
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
): Promise<Selectable<WorkspacesTable> | undefined> {
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
