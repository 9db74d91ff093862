import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type api, query } from "../shell/client.ts";
import { useWorkspace } from "../shell/workspace.tsx";

export type WorkspaceSettings = Awaited<ReturnType<typeof api.settings.get>>;
/** What of the settings changes. */
export type SettingsChange = Omit<Parameters<typeof api.settings.update>[0], "workspaceId">;

/** What is set of the workspace beside what it is called. */
export function useSettings() {
  const { id: workspaceId } = useWorkspace();
  return useQuery(query.settings.get.queryOptions({ input: { workspaceId } }));
}

/** Saves part of the settings; the whole is shown as the server answers it. */
export function useSaveSettings(told: {
  readonly onSaved: (settings: WorkspaceSettings) => void;
  readonly onRefused: (error: unknown) => void;
}) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { queryKey } = query.settings.get.queryOptions({ input: { workspaceId } });
  const { mutate, isPending } = useMutation(
    query.settings.update.mutationOptions({
      // One after the other: each answer is the whole, and the last one holds.
      scope: { id: `settings ${workspaceId}` },
      onSuccess: (settings) => {
        queryClient.setQueryData(queryKey, settings);
        told.onSaved(settings);
      },
      onError: told.onRefused,
    }),
  );
  return { isSaving: isPending, save: (change: SettingsChange) => mutate({ workspaceId, ...change }) };
}
