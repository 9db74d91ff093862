import { Switch } from "@mantine/core";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useMay } from "../shell/workspace.tsx";
import { type SettingsChange, useSaveSettings } from "./use-settings.ts";

interface SettingSwitchProps {
  readonly label: string;
  readonly description: string;
  readonly isOn: boolean;
  /** What is sent to turn it on or off. */
  readonly changeTo: (isOn: boolean) => SettingsChange;
}

/** A setting that is on or off, and saved as soon as it is switched. */
export function SettingSwitch({ label, description, isOn, changeTo }: SettingSwitchProps) {
  const mayChange = useMay("Owner");
  const { save, isSaving } = useSaveSettings({
    onSaved: () => notifyDone("Saved"),
    onRefused: notifyProblem,
  });
  return (
    <Switch
      label={label}
      description={description}
      // While it is being saved it stands where it was put.
      checked={isSaving ? !isOn : isOn}
      disabled={!mayChange}
      onChange={({ currentTarget }) => {
        if (!isSaving) save(changeTo(currentTarget.checked));
      }}
    />
  );
}
