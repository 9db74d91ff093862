import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Who counts for what a workspace causes without paying: the person who has owned it for longest, because workspaces are free;
 * its last owner while it is being deleted; the workspace itself if it has no owner.
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
