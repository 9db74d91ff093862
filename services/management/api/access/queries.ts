import type { Kysely } from "kysely";
import { type PlaceOf, statement } from "#libs/database/statement.ts";
import type { Tables } from "#libs/database/tables.ts";

/** The key with that hash and the membership of its maker; none if it is revoked, or its maker has left or is suspended. */
export const findKey = statement("api-key", (db, place: PlaceOf<{ readonly hash: Buffer }>) =>
  db
    .selectFrom("api_keys")
    .innerJoin("members", "members.id", "api_keys.member_id")
    .innerJoin("people", "people.id", "members.person_id")
    .innerJoin("workspaces", "workspaces.id", "api_keys.workspace_id")
    .where("people.suspended_at", "is", null)
    .where("api_keys.hash", "=", place("hash"))
    .select([
      "api_keys.id",
      "api_keys.name",
      "api_keys.hash",
      "api_keys.last_used_at",
      "api_keys.workspace_id",
      "members.id as member_id",
      "members.role",
      "people.id as person_id",
      "workspaces.suspended_at as workspace_suspended_at",
    ]),
);

/** Records the use of a key, at most once per minute. */
export async function touchKey(
  db: Kysely<Tables>,
  workspaceId: string,
  keyId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", keyId)
    .where((where) =>
      where.or([
        where("last_used_at", "is", null),
        where("last_used_at", "<", new Date(now.getTime() - 60_000)),
      ]),
    )
    .execute();
}
