import type { ExpressionBuilder, Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { type Order, orderKey } from "../../api/cursor.ts";
import { type PageRequest, readPageOf } from "../../api/pages.ts";

/** The role that may invite. An invitation is valid only while its inviter has it. */
export const INVITING_ROLE: MemberRole = "Owner";

const NEWEST: Order = { name: "invitations:newest", keys: [orderKey("invitations.id", "text", "desc")] };

/** One page of a workspace's invitations that can still be accepted, newest first. */
export async function listInvitations(db: Kysely<Tables>, workspaceId: string, now: Date, page: PageRequest) {
  return await readPageOf(
    db,
    page,
    NEWEST,
    (at) =>
      at
        .selectFrom("invitations")
        .leftJoin("people", "people.id", "invitations.invited_by")
        .where("invitations.workspace_id", "=", workspaceId)
        .where("invitations.expires_at", ">", now),
    (found, columns) =>
      found.select([
        ...columns,
        "invitations.id",
        "invitations.email",
        "invitations.role",
        "invitations.created_at",
        "invitations.expires_at",
        "people.id as inviter_id",
        "people.name as inviter_name",
      ]),
  );
}

export interface NewInvitation {
  readonly workspaceId: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly tokenHash: Buffer;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Stores an invitation in place of an earlier one of the same address; returns its id. */
export async function replaceInvitation(
  trx: Transaction<Tables>,
  invitation: NewInvitation,
): Promise<string> {
  const values = {
    id: newId("invitation"),
    role: invitation.role,
    token_hash: invitation.tokenHash,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
  await trx
    .insertInto("invitations")
    .values({ ...values, workspace_id: invitation.workspaceId, email: invitation.email })
    .onConflict((conflict) => conflict.columns(["workspace_id", "email"]).doUpdateSet(values))
    .execute();
  return values.id;
}

/** Whether somebody with that address is a member. */
export async function isMember(db: Kysely<Tables>, workspaceId: string, email: string): Promise<boolean> {
  const found = await db
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .where("members.workspace_id", "=", workspaceId)
    .where("people.email", "=", email)
    .select("members.id")
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes an invitation; undefined when the workspace has no such one. */
export async function deleteInvitation(trx: Transaction<Tables>, workspaceId: string, invitationId: string) {
  if (!isId("invitation", invitationId)) return undefined;
  return await trx
    .deleteFrom("invitations")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", invitationId)
    .returning(["email", "role"])
    .executeTakeFirst();
}

/** Removes the open invitations that a person has made in a workspace; returns what they were. */
export async function deleteInvitationsOf(trx: Transaction<Tables>, workspaceId: string, personId: string) {
  return await trx
    .deleteFrom("invitations")
    .where("workspace_id", "=", workspaceId)
    .where("invited_by", "=", personId)
    .returning(["id", "email", "role"])
    .execute();
}

/**
 * Takes the invitation with that token out of the table, so that only one request can use it. Undefined when it has
 * expired, and when the inviter has left, is no Owner any more or is suspended.
 */
export async function takeInvitation(trx: Transaction<Tables>, tokenHash: Buffer, now: Date) {
  return await trx
    .deleteFrom("invitations")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where(mayStillInvite)
    .returning(["id", "workspace_id", "email", "role"])
    .executeTakeFirst();
}

/** The invitation with that token and address that can be accepted and has admitted nobody yet, to any workspace. */
export async function findOpenInvitation(
  db: Kysely<Tables>,
  { tokenHash, email, now }: { readonly tokenHash: Buffer; readonly email: string; readonly now: Date },
): Promise<{ readonly id: string } | undefined> {
  return await db
    .selectFrom("invitations")
    .where("token_hash", "=", tokenHash)
    .where("email", "=", email)
    .where("expires_at", ">", now)
    .where(mayStillInvite)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("people")
            .whereRef("people.admitted_by", "=", "invitations.id")
            .select("people.id"),
        ),
      ),
    )
    .select("id")
    .executeTakeFirst();
}

function mayStillInvite(where: ExpressionBuilder<Tables, "invitations">) {
  return where.exists(
    where
      .selectFrom("members")
      .innerJoin("people", "people.id", "members.person_id")
      .whereRef("members.workspace_id", "=", "invitations.workspace_id")
      .whereRef("members.person_id", "=", "invitations.invited_by")
      .where("members.role", "=", INVITING_ROLE)
      .where("people.suspended_at", "is", null)
      .select("members.id"),
  );
}
