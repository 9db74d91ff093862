import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/**
 * Who is counted for what a workspace may cause without paying: the person who has owned it for longest, because another workspace costs
 * them nothing. Of one that is being deleted, who owned it then. The workspace itself where nobody owns it.
 */
export async function ownerOf(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  const found = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select((workspace) => [
      "erasing_owner",
      workspace
        .selectFrom("members")
        .where("workspace_id", "=", workspaceId)
        .where("role", "=", "Owner")
        .select("person_id")
        .orderBy("id")
        .limit(1)
        .as("owner"),
    ])
    .executeTakeFirst();
  return found?.owner ?? found?.erasing_owner ?? workspaceId;
}
