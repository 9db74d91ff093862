import { Button, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callAuth, explainAuthError } from "../api/auth-api.ts";
import { createPasskey, type Passkey, passkeysQuery, whyNoPasskeys } from "../api/passkeys.ts";
import { useConfirm } from "../components/confirm.tsx";
import { Dialog } from "../components/dialog.tsx";
import { formatDate } from "../components/format.ts";
import { DeviceNameInput, PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { Row, Rows } from "../components/lists.tsx";
import { notifyDone, notifyProblem } from "../components/notify.ts";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";

/** The passkeys of the signed-in person. */
export function PasskeysSection() {
  const passkeys = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const obstacle = whyNoPasskeys();
  return (
    <Section
      isPlain
      title="Passkeys"
      text="Sign in with your fingerprint, your face or a PIN, without a password or a code."
    >
      <QueryView query={passkeys}>
        {(found) =>
          found.length === 0 ? null : (
            <Rows label="Passkeys">
              {found.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </Rows>
          )
        }
      </QueryView>
      {obstacle === null ? (
        <Button variant="default" w="fit-content" onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      ) : (
        <Text size="sm">{obstacle}</Text>
      )}
      {isAdding ? <AddPasskey onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt } }: { readonly passkey: Passkey }) {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const [isRenaming, setRenaming] = useState(false);
  const remove = async () => {
    const isConfirmed = await confirm({
      title: `Remove ${name}?`,
      text: "You can no longer sign in with it. Also remove it from the device, which keeps its own copy.",
      action: "Remove passkey",
    });
    if (!isConfirmed) return;
    try {
      await callAuth("POST", "/passkey/delete-passkey", { id });
      notifyDone(`${name} removed`);
    } catch (error) {
      notifyProblem(error);
    }
    await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  };
  return (
    <Row title={name} detail={`Added on ${formatDate(createdAt)}`}>
      <Button variant="default" size="xs" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
        Rename
      </Button>
      <Button variant="default" size="xs" aria-label={`Remove ${name}`} onClick={() => void remove()}>
        Remove
      </Button>
      {isRenaming ? <RenamePasskey id={id} name={name} onClose={() => setRenaming(false)} /> : null}
    </Row>
  );
}

/** Creates a passkey on this device and names it. */
function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const state = useSubmission(
    { name: "", password: "" },
    {
      send: async ({ name, password }) => {
        await callAuth("POST", "/confirm-password", { password });
        const made = await createPasskey(name);
        if (made === null) return;
        await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
        notifyDone(`${made.name} added`);
        onClose();
      },
      explain: explainRefusal,
    },
  );
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Text size="sm">Your browser will ask where to save it.</Text>
      <ShortForm state={state} action="Continue">
        <DeviceNameInput {...state.bind("name")} />
        <PasswordField label="Your password" {...state.bind("password")} />
      </ShortForm>
    </Dialog>
  );
}

/** Browsers refuse a second passkey on the same device. */
function explainRefusal(error: unknown): string | null {
  if (error instanceof Error && error.name === "InvalidStateError") {
    return "This device already has a passkey for your account.";
  }
  return explainAuthError(error);
}

interface RenamePasskeyProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function RenamePasskey({ id, name: oldName, onClose }: RenamePasskeyProps) {
  const queryClient = useQueryClient();
  const state = useSubmission(
    { name: oldName },
    {
      send: async ({ name }) => {
        await callAuth("POST", "/passkey/update-passkey", { id, name });
        await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
        onClose();
      },
    },
  );
  return (
    <Dialog title={`Rename ${oldName}`} onClose={onClose}>
      <ShortForm state={state} action="Save">
        <DeviceNameInput {...state.bind("name")} />
      </ShortForm>
    </Dialog>
  );
}
