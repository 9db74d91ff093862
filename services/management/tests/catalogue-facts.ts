import type { ManagementUnderTest } from "./management.ts";
import type { Publisher } from "./story.ts";

/** How many snapshot versions the publisher's workspace has had. */
export async function versionOf(
  { database }: ManagementUnderTest,
  { workspace }: Publisher,
): Promise<number> {
  const { version } = await database.db
    .selectFrom("workspaces")
    .where("id", "=", workspace.id)
    .select("version")
    .executeTakeFirstOrThrow();
  return version;
}

/** What the audit log has on a resource, oldest first. */
export async function auditOf({ database }: ManagementUnderTest, resourceId: string) {
  return await database.db
    .selectFrom("audit_log")
    .where("resource_id", "=", resourceId)
    .selectAll()
    .orderBy("id")
    .execute();
}
