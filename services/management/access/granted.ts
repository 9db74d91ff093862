import type { Access } from "#libs/contract/errors.ts";
import { hasRole, type MemberRole } from "#libs/domain/member.ts";
import { httpError } from "#libs/http/index.ts";
import type { RateVerdict } from "#libs/limits/index.ts";
import type { Actor } from "./actor.ts";

/** Whom the credentials of a request stand for, before it is decided what they may do. */
export interface Identity {
  readonly actor: Actor;
  /** The membership in the workspace of the path; null where the path names none. */
  readonly member: {
    readonly id: string;
    readonly workspaceId: string;
    readonly role: MemberRole;
  } | null;
  /** What the key, or the person in all their sessions, has left of the limit after this request. */
  readonly rate: RateVerdict;
}

/** Proof that somebody is signed in. */
class PersonAccess {
  readonly #granted = true;
  readonly actor: Actor;

  constructor(actor: Actor) {
    this.actor = actor;
  }

  static isOne(value: object): value is PersonAccess {
    return #granted in value;
  }
}

/** Proof that somebody may do in one workspace what the endpoint does. */
class MemberAccess {
  readonly #granted = true;
  readonly actor: Actor;
  readonly workspaceId: string;
  readonly memberId: string;
  readonly role: MemberRole;

  constructor(actor: Actor, member: NonNullable<Identity["member"]>) {
    this.actor = actor;
    this.workspaceId = member.workspaceId;
    this.memberId = member.id;
    this.role = member.role;
  }

  static isOne(value: object): value is MemberAccess {
    return #granted in value;
  }
}

// The types alone: a handler that asks for one of these cannot be given what was made anywhere else.
export type { MemberAccess, PersonAccess };
export const isPersonAccess = PersonAccess.isOne;
export const isMemberAccess = MemberAccess.isOne;

/** What an endpoint of that access grants to somebody. Throws 403 where it grants nothing. */
export function grant(
  access: Exclude<Access, { kind: "public" }>,
  { actor, member }: Pick<Identity, "actor" | "member">,
) {
  if (access.kind !== "member" && actor.kind === "key") {
    throw httpError("FORBIDDEN", "This needs a signed-in person, not a key.");
  }
  if (access.kind === "session") return new PersonAccess(actor);
  if (member === null || !hasRole(member.role, access.role)) {
    throw httpError("FORBIDDEN", `This needs the role ${access.role}.`);
  }
  return new MemberAccess(actor, member);
}
