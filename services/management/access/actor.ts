import type { MemberRole } from "#libs/domain/member.ts";

/** Who acts: a signed-in person, or an integration that holds a key and acts as the key's maker. */
export interface Actor {
  readonly kind: "person" | "key";
  /** The person's id, or the key's. */
  readonly id: string;
  /** The person behind it: the one signed in, or the key's maker. */
  readonly personId: string;
  readonly name: string;
  /** The membership in the workspace of the path; null on endpoints that belong to no workspace. */
  readonly member: { readonly id: string; readonly workspaceId: string; readonly role: MemberRole } | null;
}
