export const MEMBER_ROLES = ["Owner", "Manager", "Viewer"] as const;

/** What a person may do in a workspace: a Viewer reads, a Manager also changes, an Owner also runs the workspace. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

const RANK: Record<MemberRole, number> = { Viewer: 0, Manager: 1, Owner: 2 };

/** Whether the role includes all that the needed one may do. */
export function hasRole(role: MemberRole, needed: MemberRole): boolean {
  return RANK[role] >= RANK[needed];
}
