import { hash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { conflict, httpError, notFound, tooManyRequests } from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import { api, forMembers, forSignedIn, type MemberContext, type PersonContext } from "../../api/api.ts";
import { recordChange } from "../../audit/record.ts";
import { invitationLetter } from "../../mail/account-letters.ts";
import { queueLetter } from "../../mail/delivery.ts";
import { withoutLinks } from "../../mail/letter.ts";
import { mailLinks } from "../../mail/links.ts";
import { enforceInvitationQuota, enforceQuota } from "../../store/quotas.ts";
import type { People } from "../people/people.ts";
import { findWorkspace, presentWorkspace } from "../workspaces/queries.ts";
import {
  deleteInvitation,
  isMember,
  listInvitations,
  replaceInvitation,
  takeInvitation,
} from "./invitation-queries.ts";
import { insertMember } from "./queries.ts";

const VALID_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
const TOKEN_BYTES = 32;
/** Enough for a large team, too few for spam; over all workspaces. */
const INVITER_RATE: RateRule = { name: "inviter", points: 50, durationSeconds: 24 * 60 * 60 };
/** Counts all inviters together, so that many cannot flood one mailbox. */
const INVITED_RATE: RateRule = { name: "invited", points: 5, durationSeconds: 24 * 60 * 60 };
const UNVERIFIED = "Confirm your own email address before you invite others.";

export interface InvitationPorts {
  readonly people: Pick<People, "verifiesEmail">;
  readonly limits: Pick<Limits, "consume">;
  readonly publicUrl: URL;
  readonly now: () => number;
}

export const invitationRoutes = (ports: InvitationPorts) => ({
  list: forMembers(api.invitations.list, async ({ input, context: { db, access } }) => {
    const now = new Date(ports.now());
    const { envelope, rows } = await listInvitations(db, access.workspaceId, now, input);
    return {
      ...envelope,
      items: rows.map((row) => ({
        id: row.id,
        email: row.email,
        role: row.role,
        invitedBy:
          row.inviter_id === null || row.inviter_name === null
            ? null
            : { id: row.inviter_id, name: row.inviter_name },
        createdAt: row.created_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      })),
    };
  }),

  create: forMembers(api.invitations.create, async ({ input, context }) => invite(ports, context, input)),

  revoke: forMembers(api.invitations.revoke, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const { invitationId } = input;
    await context.db.transaction().execute(async (trx) => {
      const revoked = await deleteInvitation(trx, workspaceId, invitationId);
      if (revoked === undefined) throw notFound("Invitation");
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "invitation.revoke",
        resourceId: invitationId,
        before: revoked,
      });
    });
    return { success: true };
  }),

  accept: forSignedIn(api.invitations.accept, async ({ input, context }) =>
    acceptInvitation(context, input.token, new Date(ports.now())),
  ),
});

/**
 * Invites an address and queues the email, the only place that has the token. 409 for a member's address, or if email is
 * configured and the inviter's own address is not verified; 429 over the limits of the inviter or of the address.
 */
async function invite(
  { people, limits, publicUrl, now }: InvitationPorts,
  context: MemberContext,
  { email, role }: { readonly email: string; readonly role: MemberRole },
) {
  const { db } = context;
  const { actor, workspaceId } = context.access;
  if (people.verifiesEmail) await requireVerified(db, actor.personId);
  for (const [rule, key] of [
    [INVITER_RATE, actor.personId],
    // Hashed: the limits keep no stranger's address.
    [INVITED_RATE, hash("sha256", email, "base64url")],
  ] as const) {
    const rate = await limits.consume(rule, key);
    if (!rate.allowed) throw tooManyRequests(rate.resetMs);
  }

  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const createdAt = new Date(now());
  const expiresAt = new Date(now() + VALID_DAYS * DAY_MS);
  return await db.transaction().execute(async (trx) => {
    if (await isMember(trx, workspaceId, email)) {
      throw conflict("ALREADY_MEMBER", { fieldErrors: { email: ["This person is a member already."] } });
    }
    await enforceInvitationQuota(trx, { workspaceId, email, now: createdAt });
    const id = await replaceInvitation(trx, {
      workspaceId,
      email,
      role,
      tokenHash: hashToken(token),
      invitedBy: actor.personId,
      createdAt,
      expiresAt,
    });
    const workspace = await findWorkspace(trx, workspaceId);
    if (workspace === undefined) throw notFound("Workspace");
    // The sender chooses the recipient, who may be a stranger.
    const letter = invitationLetter({
      inviter: withoutLinks(actor.name),
      workspace: withoutLinks(workspace.name),
      role,
      days: VALID_DAYS,
      url: mailLinks(publicUrl).acceptInvitation(token),
    });
    await queueLetter(trx, { to: email }, letter);
    await recordChange(trx, actor, {
      workspaceId,
      action: "invitation.create",
      resourceId: id,
      after: { email, role },
    });
    return {
      id,
      email,
      role,
      invitedBy: { id: actor.personId, name: actor.name },
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  });
}

async function requireVerified(db: Kysely<Tables>, personId: string): Promise<void> {
  const inviter = await db
    .selectFrom("people")
    .where("id", "=", personId)
    .where("email_verified", "=", true)
    .select("id")
    .executeTakeFirst();
  if (inviter === undefined) throw conflict("EMAIL_NOT_VERIFIED", { formErrors: [UNVERIFIED] });
}

/**
 * Makes the signed-in person a member. 404 for a token that is not valid, such as one whose inviter may no longer invite;
 * 403 if it is for another address.
 */
async function acceptInvitation({ db, access: { actor } }: PersonContext, token: string, now: Date) {
  return await db.transaction().execute(async (trx) => {
    const invitation = await takeInvitation(trx, hashToken(token), now);
    if (invitation === undefined) throw notFound("Invitation");
    const person = await trx
      .selectFrom("people")
      .where("id", "=", actor.personId)
      .select(["name", "email"])
      .executeTakeFirst();
    if (person?.email !== invitation.email) {
      throw httpError("FORBIDDEN", "This invitation is for another email address.");
    }
    const { workspace_id: workspaceId, role } = invitation;
    await enforceQuota(trx, "members", workspaceId);
    const member = await insertMember(trx, { workspaceId, personId: actor.personId, role });
    if (member === undefined) {
      throw conflict("ALREADY_MEMBER", { formErrors: ["You are a member of this workspace already."] });
    }
    await recordChange(trx, actor, {
      workspaceId,
      action: "member.join",
      resourceId: member.id,
      after: { name: person.name, email: person.email, role },
    });
    const workspace = await findWorkspace(trx, workspaceId);
    if (workspace === undefined) throw notFound("Workspace");
    return presentWorkspace(workspace, role);
  });
}

/** A fast hash is enough, because a random token cannot be guessed. */
function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
