import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { notifyDone } from "../shell/notify.ts";
import { callPeople } from "../shell/people-api.ts";
import { PasswordField } from "../sign-in/inputs.tsx";
import { ShortForm } from "../sign-in/short-form.tsx";
import { useSubmission } from "../sign-in/submission.ts";
import { DeviceNameInput } from "./device-name-input.tsx";
import { Dialog } from "./dialog.tsx";
import { explainRefusal } from "./explain-refusal.ts";
import { createPasskey, passkeysQuery } from "./passkeys.ts";

/** Makes a passkey on this device and gives it a name. */
export function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const state = useSubmission(
    { name: "", password: "" },
    {
      send: async ({ name, password }) => {
        await callPeople("POST", "/confirm-password", { password });
        const made = await createPasskey(name);
        if (made === null) return;
        await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
        notifyDone(`${made.name} is added`);
        onClose();
      },
      explain: explainRefusalHere,
    },
  );
  const { draft, errors, change } = state;
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">Your browser then asks you where to keep it.</Text>
        <ShortForm state={state} action="Continue">
          <DeviceNameInput value={draft.name} error={errors.name} onChange={(name) => change({ name })} />
          <PasswordField
            label="Your password"
            value={draft.password}
            error={errors.password}
            onChange={(password) => change({ password })}
          />
        </ShortForm>
      </Stack>
    </Dialog>
  );
}

/** Browsers refuse to make a second passkey on a device that has one. */
function explainRefusalHere(error: unknown): string | null {
  if (error instanceof Error && error.name === "InvalidStateError") {
    return "This device has a passkey for your account already.";
  }
  return explainRefusal(error);
}
