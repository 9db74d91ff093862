import { Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { api, query } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import type { Checked } from "../components/forms/check-input.ts";
import { useSavedForm } from "../components/forms/draft-form.tsx";
import { useAction } from "../components/use-action.ts";

type SettingsChange = Omit<Parameters<typeof api.settings.update>[0], "workspaceId">;

/** The settings of the workspace. */
export function useSettings() {
  const { id: workspaceId } = useWorkspace();
  return useQuery(query.settings.get.queryOptions({ input: { workspaceId } }));
}

/** The request that saves part of the settings, for `useAction`. All of them are then shown as the server returns them. */
function useSettingsRequest() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { queryKey } = query.settings.get.queryOptions({ input: { workspaceId } });
  return {
    // One at a time: each response has all settings, and the last one wins.
    scope: { id: `settings ${workspaceId}` },
    send: async (change: SettingsChange) => {
      const settings = await api.settings.update({ workspaceId, ...change });
      queryClient.setQueryData(queryKey, settings);
      return settings;
    },
  };
}

/** The form of some settings. */
export function useSettingsForm<Draft extends object>(
  settings: WorkspaceSettings,
  draftOf: (settings: WorkspaceSettings) => Draft,
  rules: {
    readonly check: (draft: Draft) => Checked<SettingsChange>;
    readonly done: string;
  },
) {
  return useSavedForm(settings, draftOf, { ...useSettingsRequest(), ...rules });
}

interface SettingSwitchProps {
  readonly label: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly changeTo: (isOn: boolean) => SettingsChange;
}

/** A switch that saves its setting immediately. */
export function SettingSwitch({ label, description, isOn, changeTo }: SettingSwitchProps) {
  const mayChange = useMay("Owner");
  const { isBusy, act: save } = useAction({ ...useSettingsRequest(), done: "Saved" });
  return (
    <Switch
      label={label}
      description={description}
      // While it is saving, it shows the new value.
      checked={isBusy ? !isOn : isOn}
      disabled={!mayChange}
      onChange={({ currentTarget }) => {
        if (!isBusy) void save(changeTo(currentTarget.checked));
      }}
    />
  );
}
