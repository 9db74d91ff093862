import { createContext, useContext } from "react";
import { hasRole, type MemberRole } from "#libs/domain/member.ts";
import type { api } from "./client.ts";

/** A workspace as the interface answers it, with what the signed-in person is in it. */
export type Workspace = Awaited<ReturnType<typeof api.workspaces.get>>;

export const WorkspaceContext = createContext<Workspace | null>(null);

/** The workspace of the page's address. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error("the page belongs to no workspace");
  return workspace;
}

/** Whether the signed-in person may do in this workspace what that role may. */
export function useMay(needed: MemberRole): boolean {
  return hasRole(useWorkspace().role, needed);
}
