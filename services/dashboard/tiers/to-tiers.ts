import { useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../shell/workspace.tsx";

/** The list that tiers are in. */
export const ALL_TIERS = { to: "/w/$workspaceId/tiers", label: "All tiers" } as const;

/** Goes to the list of tiers, without asking after changes: they have just been saved. */
export function useToTiers(): () => Promise<void> {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  return () => navigate({ to: ALL_TIERS.to, params: { workspaceId }, search: {}, ignoreBlocker: true });
}
