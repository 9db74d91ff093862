import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";

const JOINED: Order = { name: "members:joined", keys: [orderKey("members.id", "text", "asc")] };

/** One page of a workspace's members, in the order in which they joined. */
export async function listMembers(db: Kysely<Tables>, workspaceId: string, page: PageRequest) {
  return await readPageOf(
    db,
    page,
    JOINED,
    (at) => selectMembers(at, workspaceId),
    (found, columns) => found.select(columns),
  );
}

export type MemberRow = NonNullable<Awaited<ReturnType<typeof findMember>>>;

/** A member of the workspace, or undefined. */
export async function findMember(db: Kysely<Tables>, workspaceId: string, memberId: string) {
  if (!isId("member", memberId)) return undefined;
  return await selectMembers(db, workspaceId).where("members.id", "=", memberId).executeTakeFirst();
}

/** A member with their workspace, whichever it is; undefined once the membership has ended. */
export async function findMembership(db: Kysely<Tables>, memberId: string) {
  return await db
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .innerJoin("workspaces", "workspaces.id", "members.workspace_id")
    .where("members.id", "=", memberId)
    .select(["members.workspace_id", "members.person_id", "people.name", "workspaces.name as workspace"])
    .executeTakeFirst();
}

/**
 * Locks the Owners of a workspace until the transaction ends, and returns the ids of their memberships. Every change that ends
 * an Owner's role takes this lock, so the second of two concurrent changes sees who is left.
 */
export async function lockOwners(trx: Transaction<Tables>, workspaceId: string): Promise<string[]> {
  const owners = await trx
    .selectFrom("members")
    .where("workspace_id", "=", workspaceId)
    .where("role", "=", "Owner")
    .select("id")
    .orderBy("id")
    .forUpdate()
    .execute();
  return owners.map(({ id }) => id);
}

/** Adds a person to a workspace; undefined when they are a member already. */
export async function insertMember(
  trx: Transaction<Tables>,
  member: { workspaceId: string; personId: string; role: MemberRole },
) {
  return await trx
    .insertInto("members")
    .values({
      id: newId("member"),
      workspace_id: member.workspaceId,
      person_id: member.personId,
      role: member.role,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "person_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
}

export async function setRole(
  trx: Transaction<Tables>,
  workspaceId: string,
  memberId: string,
  role: MemberRole,
): Promise<void> {
  await trx
    .updateTable("members")
    .set({ role })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", memberId)
    .execute();
}

/** Ends a membership, and with it the member's keys. */
export async function deleteMember(
  trx: Transaction<Tables>,
  workspaceId: string,
  memberId: string,
): Promise<void> {
  await trx
    .deleteFrom("members")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", memberId)
    .execute();
}

function selectMembers(db: Kysely<Tables>, workspaceId: string) {
  return db
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .where("members.workspace_id", "=", workspaceId)
    .select([
      "members.id",
      "members.role",
      "members.created_at",
      "members.report_emails",
      "people.id as person_id",
      "people.name",
      "people.email",
    ]);
}
