import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { callPeople } from "../shell/people-api.ts";
import { ShortForm } from "../sign-in/short-form.tsx";
import { useSubmission } from "../sign-in/submission.ts";
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
        <TextInput
          label="Name of the device"
          required
          withAsterisk={false}
          maxLength={80}
          autoFocus
          value={draft.name}
          error={errors.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </ShortForm>
    </Dialog>
  );
}
