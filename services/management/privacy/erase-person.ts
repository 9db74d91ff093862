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
  const mentions = await listMentions(trx, person, memberIds);
  await scrubMentions(trx, mentions);
  await sql`
    delete from verifications where value = ${personId} or strpos(value, ${person.email}) > 0
  `.execute(trx);
  await dropMailsTo(trx, person.email);
  await dropAnswersWith(trx, [...mentions.emails, personId]);
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
    update audit_log set before = null, after = null
    where resource_kind in ('api-key', 'tracking-key') and resource_id = any(${keyIds}::text[])
  `.execute(trx);
}

/** The person's names and email addresses, also those that they had when they joined or left a workspace. */
async function listMentions(
  trx: Transaction<Tables>,
  person: { readonly id: string; readonly name: string; readonly email: string },
  memberIds: readonly string[],
) {
  const { rows } = await sql<{ memberId: string; name: string | null; email: string | null }>`
    select resource_id as "memberId", said ->> 'name' as name, said ->> 'email' as email
    from audit_log cross join unnest(array[before, after]) as said
    where (resource_kind = 'member' and resource_id = any(${memberIds}::text[])) or (
      actor_kind = 'person' and actor_id = ${person.id} and action in ('member.join', 'member.leave')
    )`.execute(trx);
  const distinct = (texts: readonly (string | null)[]) => [...new Set(texts)].filter((text) => text !== null);
  return {
    memberIds: distinct([...memberIds, ...rows.map(({ memberId }) => memberId)]),
    names: distinct([person.name, ...rows.map(({ name }) => name)]),
    emails: distinct([person.email, ...rows.map(({ email }) => email)]),
  };
}

/** The addresses that a change in the audit log names, as its index has them: of members, invitations and settings. */
const ADDRESSES = [
  "before ->> 'email'",
  "after ->> 'email'",
  "before ->> 'contactEmail'",
  "after ->> 'contactEmail'",
].join(", ");

/** Removes names and email addresses from the actions of others on the person: invited, accepted, removed. */
async function scrubMentions(
  trx: Transaction<Tables>,
  { memberIds, names, emails }: Awaited<ReturnType<typeof listMentions>>,
): Promise<void> {
  // Quoted as in JSON, so that only a value equal to the text is replaced.
  const quoted = (text: string) => sql`to_jsonb(${text}::text)::text`;
  const scrubbed = (column: "before" | "after") => {
    const replaced = [...emails, ...names].reduce(
      (text, mention) => sql`replace(${text}, ${quoted(mention)}, ${quoted(DELETED_PERSON)})`,
      sql`${sql.ref(column)}::text`,
    );
    return sql`${sql.ref(column)} = ${replaced}::jsonb`;
  };
  await sql`
    update audit_log set ${scrubbed("before")}, ${scrubbed("after")}
    where (resource_kind = 'member' and resource_id = any(${memberIds}::text[]))
      or (coalesce(${sql.raw(ADDRESSES)}) is not null and array[${sql.raw(ADDRESSES)}] && ${emails}::text[])
  `.execute(trx);
}
