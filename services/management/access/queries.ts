import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** The key with that hash and the membership it acts with, or undefined when there is none (any more). */
export async function findKey(db: Kysely<Tables>, hash: Buffer) {
  return await db
    .selectFrom("api_keys")
    .innerJoin("members", "members.id", "api_keys.member_id")
    .innerJoin("people", "people.id", "members.person_id")
    .where("api_keys.hash", "=", hash)
    .select([
      "api_keys.id",
      "api_keys.name",
      "api_keys.hash",
      "api_keys.last_used_at",
      "api_keys.workspace_id",
      "members.id as member_id",
      "members.role",
      "people.id as person_id",
    ])
    .executeTakeFirst();
}

/** Notes that a key was used, at most once a minute whatever the traffic. */
export async function touchKey(db: Kysely<Tables>, keyId: string, now: Date): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where("id", "=", keyId)
    .where((where) =>
      where.or([
        where("last_used_at", "is", null),
        where("last_used_at", "<", new Date(now.getTime() - 60_000)),
      ]),
    )
    .execute();
}

/** A person's membership in a workspace, or undefined. */
export async function findMembership(db: Kysely<Tables>, workspaceId: string, personId: string) {
  return await db
    .selectFrom("members")
    .where("workspace_id", "=", workspaceId)
    .where("person_id", "=", personId)
    .select(["id", "role"])
    .executeTakeFirst();
}
