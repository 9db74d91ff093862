import { MEMBER_ROLES, type MemberRole } from "#libs/domain/member.ts";

const MAY: Readonly<Record<MemberRole, string>> = {
  Owner: "Runs the workspace and its members.",
  Manager: "Reviews ads, changes tiers and fields.",
  Viewer: "Looks at everything, changes nothing.",
};

/** The roles for a select, with what each may do. */
export const ROLES = MEMBER_ROLES.map((role) => ({
  value: role,
  label: role,
  description: MAY[role],
}));

/** The role that a select's value names. */
export function readRole(value: string | null): MemberRole | null {
  return MEMBER_ROLES.find((role) => role === value) ?? null;
}
