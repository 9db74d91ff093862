import { useQueryClient } from "@tanstack/react-query";
import { callPeople } from "../shell/people-api.ts";
import { ShortForm } from "../sign-in/short-form.tsx";
import { useSubmission } from "../sign-in/submission.ts";
import { DeviceNameInput } from "./device-name-input.tsx";
import { Dialog } from "./dialog.tsx";
import { explainRefusal } from "./explain-refusal.ts";
import { passkeysQuery } from "./passkeys.ts";

interface RenamePasskeyProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Gives a passkey another name. */
export function RenamePasskey({ id, name: present, onClose }: RenamePasskeyProps) {
  const queryClient = useQueryClient();
  const state = useSubmission(
    { name: present },
    {
      send: async ({ name }) => {
        await callPeople("POST", "/passkey/update-passkey", { id, name });
        await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
        onClose();
      },
      explain: explainRefusal,
    },
  );
  const { draft, errors, change } = state;
  return (
    <Dialog title={`Rename ${present}`} onClose={onClose}>
      <ShortForm state={state} action="Save">
        <DeviceNameInput value={draft.name} error={errors.name} onChange={(name) => change({ name })} />
      </ShortForm>
    </Dialog>
  );
}
