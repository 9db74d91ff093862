import { createContext, useContext } from "react";
import type { Workspace } from "#libs/contract/workspaces.ts";
import { hasRole, type MemberRole } from "#libs/domain/member.ts";

export const WorkspaceContext = createContext<Workspace | null>(null);

/** The workspace of the page's address. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error("the page belongs to no workspace");
  return workspace;
}

/** Whether the signed-in person has at least this role in the workspace. */
export function useMay(needed: MemberRole): boolean {
  return hasRole(useWorkspace().role, needed);
}

/** The workspace's advertising page; with a tier, the anchor of its card. */
export function advertiseLink({ slug }: Pick<Workspace, "slug">, tierId?: string): string {
  const page = `${location.origin}/advertise/${encodeURIComponent(slug)}`;
  return tierId === undefined ? page : `${page}#tier-${tierId}`;
}
