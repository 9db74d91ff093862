import type { Kysely, Selectable, Transaction } from "kysely";
import type { Tables, WorkspacesTable } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";

export interface NewWorkspace {
  readonly name: string;
  readonly slug: string;
  readonly websiteUrl: string | null;
  readonly currency: string;
}

/** The workspaces that a person is a member of, oldest first. */
export async function listWorkspacesOf(db: Kysely<Tables>, personId: string) {
  return await db
    .selectFrom("workspaces")
    .innerJoin("members", "members.workspace_id", "workspaces.id")
    .where("members.person_id", "=", personId)
    .selectAll("workspaces")
    .orderBy("workspaces.id")
    .execute();
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
