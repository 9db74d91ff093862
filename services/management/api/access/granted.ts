import type { Access } from "#libs/contract/errors.ts";
import { hasRole, type MemberRole } from "#libs/domain/member.ts";
import { httpError } from "#libs/http/index.ts";
import type { RateVerdict } from "#libs/limits/index.ts";

/** Who acts: a signed-in person, or an integration that has a key and acts as the key's maker. */
export interface Actor {
  readonly kind: "person" | "key";
  /** The person's id, or the key's. */
  readonly id: string;
  /** The person behind it: the one signed in, or the key's maker. */
  readonly personId: string;
  readonly name: string;
}

/** The caller that a request's credentials identify, before anything is granted. */
export interface Identity {
  readonly actor: Actor;
  /** The membership in the workspace of the path; null where the path names none. */
  readonly member: {
    readonly id: string;
    readonly workspaceId: string;
    readonly role: MemberRole;
  } | null;
  /** The rate limit of the key, or of all sessions of the person, after this request. */
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

/** Proof that the caller may use the endpoint in one workspace. */
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

// Only the types are exported: `grant` alone can make the values that handlers ask for.
export type { MemberAccess, PersonAccess };
export const isPersonAccess = PersonAccess.isOne;
export const isMemberAccess = MemberAccess.isOne;

/** Grants a caller what an endpoint with that access allows. Throws 403 if it allows nothing. */
export function grant(
  access: Exclude<Access, { kind: "public" | "tracking" }>,
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
