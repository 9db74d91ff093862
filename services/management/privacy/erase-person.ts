import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import { lockOwners } from "../accounts/members/queries.ts";
import { bumpSnapshotVersion } from "../snapshots/publish.ts";
import { DELETED_PERSON, dropAnswersWith, dropMailsTo } from "./forget-address.ts";

/**
 * Deletes a person with their sessions, credentials, memberships, API keys and invitations; the audit log keeps
 * their actions, by "Deleted person". If workspaces would be left without an Owner, it deletes nothing and returns their names.
 * 404 for an unknown person.
 */
export async function erasePerson(trx: Transaction<Tables>, personId: string): Promise<readonly string[]> {
  const person = await trx
    .selectFrom("people")
    .where("id", "=", personId)
    .select(["id", "name", "email"])
    .forUpdate()
    .executeTakeFirst();
  if (person === undefined) throw notFound("Person");
  const memberships = await listMemberships(trx, personId);
  const ownerless = await listOwnerless(trx, memberships);
  if (ownerless.length > 0) return ownerless;

  const memberIds = memberships.map(({ id }) => id);
  await scrubActs(trx, personId, memberIds);
  await scrubMentions(trx, person, memberIds);
  await sql`
    delete from verifications where value = ${personId} or strpos(value, ${person.email}) > 0
  `.execute(trx);
  await dropMailsTo(trx, person.email);
  await dropAnswersWith(trx, [person.email, personId]);
  await trx
    .deleteFrom("invitations")
    .where((where) => where.or([where("invited_by", "=", personId), where("email", "=", person.email)]))
    .execute();
  // The foreign keys cascade to sessions, credentials, memberships and API keys.
  await trx.deleteFrom("people").where("id", "=", personId).execute();
  // Without the person's tracking keys.
  for (const { workspace_id: workspaceId } of memberships) await bumpSnapshotVersion(trx, workspaceId);
  return [];
}

/** In the order in which every transaction locks the Owners of several workspaces, to avoid deadlocks. */
async function listMemberships(trx: Transaction<Tables>, personId: string) {
  return await trx
    .selectFrom("members")
    .innerJoin("workspaces", "workspaces.id", "members.workspace_id")
    .where("members.person_id", "=", personId)
    .select(["members.id", "members.workspace_id", "workspaces.name"])
    .orderBy("members.workspace_id")
    .execute();
}

async function listOwnerless(
  trx: Transaction<Tables>,
  memberships: Awaited<ReturnType<typeof listMemberships>>,
): Promise<string[]> {
  const names: string[] = [];
  for (const { id, workspace_id: workspaceId, name } of memberships) {
    const owners = await lockOwners(trx, workspaceId);
    if (owners.length === 1 && owners[0] === id) names.push(name);
  }
  return names;
}

/** Removes the name from the actions of the person and their API keys. A key's own name may contain the person's. */
async function scrubActs(
  trx: Transaction<Tables>,
  personId: string,
  memberIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from api_keys where member_id = any(${memberIds}::text[])
    union
    select resource_id from audit_log
    where actor_kind = 'person' and actor_id = ${personId} and action in ('api-key.create', 'tracking-key.create')`.execute(
    trx,
  );
  const keyIds = rows.map(({ id }) => id);
  await sql`
    update audit_log set actor_name = ${DELETED_PERSON}
    where (actor_kind = 'person' and actor_id = ${personId})
      or (actor_kind = 'key' and actor_id = any(${keyIds}::text[]))`.execute(trx);
  await sql`
    update audit_log set before = null, after = null where resource_id = any(${keyIds}::text[])
  `.execute(trx);
}

/** Removes name and email address from the actions of others on the person: invited, accepted, removed. */
async function scrubMentions(
  trx: Transaction<Tables>,
  { name, email }: { readonly name: string; readonly email: string },
  memberIds: readonly string[],
): Promise<void> {
  // With JSON's quotes, so that only a value equal to the text is replaced.
  const quoted = (text: string) => sql`to_jsonb(${text}::text)::text`;
  const scrubbed = (column: "before" | "after") => sql`
    ${sql.ref(column)} = replace(
      replace(${sql.ref(column)}::text, ${quoted(email)}, ${quoted(DELETED_PERSON)}),
      ${quoted(name)}, ${quoted(DELETED_PERSON)}
    )::jsonb`;
  await sql`
    update audit_log set ${scrubbed("before")}, ${scrubbed("after")}
    where resource_id = any(${memberIds}::text[])
      or strpos(concat(before::text, after::text), ${quoted(email)}) > 0
  `.execute(trx);
}
