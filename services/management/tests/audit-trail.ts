import type { ManagementUnderTest } from "./management.ts";

/** What was recorded of a resource, oldest first. */
export async function auditTrail({ database }: Pick<ManagementUnderTest, "database">, resourceId: string) {
  return await database.db
    .selectFrom("audit_log")
    .where("resource_id", "=", resourceId)
    .select(["workspace_id", "actor_kind", "actor_id", "actor_name", "action", "before", "after"])
    .orderBy("id")
    .execute();
}

/** The actions recorded of a resource, oldest first. */
export async function actionsOn(service: Pick<ManagementUnderTest, "database">, resourceId: string) {
  return (await auditTrail(service, resourceId)).map(({ action }) => action);
}
