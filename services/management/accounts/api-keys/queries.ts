import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { KeyKind, NewKey } from "#libs/domain/api-key.ts";
import { isId, newId } from "#libs/domain/ids.ts";

/** The keys of a kind that a workspace has, newest first, each with the person who made it. */
export async function listKeys(db: Kysely<Tables>, kind: KeyKind, workspaceId: string) {
  return await db
    .selectFrom("api_keys")
    .innerJoin("members", "members.id", "api_keys.member_id")
    .innerJoin("people", "people.id", "members.person_id")
    .where("api_keys.workspace_id", "=", workspaceId)
    .where("api_keys.kind", "=", kind)
    .select([
      "api_keys.id",
      "api_keys.name",
      "api_keys.prefix",
      "api_keys.last_used_at",
      "api_keys.created_at",
      "people.id as person_id",
      "people.name as person_name",
    ])
    .orderBy("api_keys.id", "desc")
    .execute();
}

/** Stores a key's hash; the key itself is stored nowhere. */
export async function insertKey(
  trx: Transaction<Tables>,
  kind: KeyKind,
  key: { workspaceId: string; memberId: string; name: string } & Pick<NewKey, "prefix" | "hash">,
) {
  return await trx
    .insertInto("api_keys")
    .values({
      id: newId("apiKey"),
      workspace_id: key.workspaceId,
      member_id: key.memberId,
      name: key.name,
      kind,
      prefix: key.prefix,
      hash: key.hash,
    })
    .returning(["id", "created_at"])
    .executeTakeFirstOrThrow();
}

interface KeyOfWorkspace {
  readonly workspaceId: string;
  readonly keyId: string;
}

/** The role of the member who made a key; undefined when the workspace has no such key. */
export async function findMakersRole(
  trx: Transaction<Tables>,
  kind: KeyKind,
  { workspaceId, keyId }: KeyOfWorkspace,
) {
  if (!isId("apiKey", keyId)) return undefined;
  const maker = await trx
    .selectFrom("api_keys")
    .innerJoin("members", "members.id", "api_keys.member_id")
    .where("api_keys.workspace_id", "=", workspaceId)
    .where("api_keys.id", "=", keyId)
    .where("api_keys.kind", "=", kind)
    .select("members.role")
    .executeTakeFirst();
  return maker?.role;
}

/** Deletes a key. Undefined when the workspace has no such key. */
export async function deleteKey(
  trx: Transaction<Tables>,
  kind: KeyKind,
  { workspaceId, keyId }: KeyOfWorkspace,
) {
  if (!isId("apiKey", keyId)) return undefined;
  return await trx
    .deleteFrom("api_keys")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", keyId)
    .where("kind", "=", kind)
    .returning(["name", "prefix"])
    .executeTakeFirst();
}
