import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";

/** Whether the publisher shows what their placements bring; false where there is no such workspace. */
export async function isAudiencePublic(db: Kysely<Tables>, workspaceId: string): Promise<boolean> {
  if (!isId("workspace", workspaceId)) return false;
  const row = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("audience_public")
    .executeTakeFirst();
  return row?.audience_public ?? false;
}
