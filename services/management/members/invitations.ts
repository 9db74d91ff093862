import { hash, randomBytes } from "node:crypto";
import type { MemberRole } from "#libs/domain/member.ts";
import { conflict, httpError, notFound, tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { MemberContext, PersonContext } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { keepCap, keepCapOfInvitations } from "../caps.ts";
import { queueMail } from "../jobs/mail.ts";
import { invitationMail } from "../people/mails.ts";
import type { Services } from "../services.ts";
import { presentWorkspace } from "../workspaces/present.ts";
import { findWorkspace } from "../workspaces/queries.ts";
import { isMember, replaceInvitation, takeInvitation } from "./invitation-queries.ts";
import { insertMember } from "./queries.ts";

const GOOD_FOR_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
const TOKEN_BYTES = 32;
/** Enough for a large team, too few to send strangers mail through us; over all workspaces. */
const INVITER_RATE: RateRule = { name: "inviter", points: 50, durationSeconds: 24 * 60 * 60 };
/** From all inviters together, so that many of them cannot fill one mailbox either. */
const INVITED_RATE: RateRule = { name: "invited", points: 5, durationSeconds: 24 * 60 * 60 };
const UNVERIFIED = "Confirm your own e-mail address before you invite others.";

/**
 * Invites an address and queues the mail, the only place where the token is. 409 when it is a member's, or the inviter's
 * own address is not verified where mail is sent; 429 over the limits of the inviter and of the address.
 */
export async function invite(
  context: MemberContext,
  { email, role }: { readonly email: string; readonly role: MemberRole },
) {
  const { db, limits, publicUrl, now } = context.services;
  const { actor, workspaceId } = context.access;
  await requireVerified(context.services, actor.personId);
  for (const [rule, key] of [
    [INVITER_RATE, actor.personId],
    // No stranger's address is kept among the limits.
    [INVITED_RATE, hash("sha256", email, "base64url")],
  ] as const) {
    const rate = await limits.consume(rule, key);
    if (!rate.allowed) throw tooManyRequests(rate.resetMs);
  }

  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const createdAt = new Date(now());
  const expiresAt = new Date(now() + GOOD_FOR_DAYS * DAY_MS);
  return await db.transaction().execute(async (trx) => {
    if (await isMember(trx, workspaceId, email)) {
      throw conflict({ fieldErrors: { email: ["This person is a member already."] } });
    }
    await keepCapOfInvitations(trx, { workspaceId, email, now: createdAt });
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
    await queueMail(
      trx,
      invitationMail(publicUrl, {
        email,
        token,
        role,
        inviter: actor.name,
        workspace: workspace.name,
        days: GOOD_FOR_DAYS,
      }),
    );
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

async function requireVerified({ db, people }: Services, personId: string): Promise<void> {
  if (!people.verifiesEmail) return;
  const inviter = await db
    .selectFrom("people")
    .where("id", "=", personId)
    .where("email_verified", "=", true)
    .select("id")
    .executeTakeFirst();
  if (inviter === undefined) throw conflict({ formErrors: [UNVERIFIED] });
}

/**
 * Makes the signed-in person a member. 404 for a token that is none (any more), also because the inviter may not invite any
 * more; 403 when it is for another address.
 */
export async function acceptInvitation(context: PersonContext, token: string) {
  const { db, now } = context.services;
  const { actor } = context.access;
  return await db.transaction().execute(async (trx) => {
    const invitation = await takeInvitation(trx, hashToken(token), new Date(now()));
    if (invitation === undefined) throw notFound("Invitation");
    const person = await trx
      .selectFrom("people")
      .where("id", "=", actor.personId)
      .select(["name", "email"])
      .executeTakeFirst();
    if (person?.email !== invitation.email) {
      throw httpError("FORBIDDEN", "This invitation is for another e-mail address.");
    }
    const { workspace_id: workspaceId, role } = invitation;
    await keepCap(trx, "members", workspaceId);
    const member = await insertMember(trx, { workspaceId, personId: actor.personId, role });
    if (member === undefined) {
      throw conflict({ formErrors: ["You are a member of this workspace already."] });
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

/** A token is too random to be guessed, so that no slow hash is needed. */
function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
