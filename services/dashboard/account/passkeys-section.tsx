import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Rows } from "../settings/rows.tsx";
import { useConfirm } from "../shell/confirm.tsx";
import { formatDate } from "../shell/format.ts";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { callPeople } from "../shell/people-api.ts";
import { QueryView } from "../shell/states.tsx";
import { AccountSection } from "./account-section.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { type Passkey, passkeysQuery, whyNoPasskeys } from "./passkeys.ts";
import { RenamePasskey } from "./rename-passkey.tsx";

/** The devices that somebody signs in with instead of a password. */
export function PasskeysSection() {
  const passkeys = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const obstacle = whyNoPasskeys();
  return (
    <AccountSection
      title="Passkeys"
      text="Sign in with your fingerprint, your face or a PIN, without a password or a code."
    >
      <QueryView query={passkeys}>
        {(kept) =>
          kept.length === 0 ? null : (
            <Rows label="Passkeys">
              {kept.map((passkey) => (
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
    </AccountSection>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt } }: { readonly passkey: Passkey }) {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const [isRenaming, setRenaming] = useState(false);
  const remove = async () => {
    const isMeant = await confirm({
      title: `Remove ${name}?`,
      text: "You can no longer sign in with it. Remove it from the device as well, which keeps its own copy.",
      action: "Remove passkey",
      isDangerous: true,
    });
    if (!isMeant) return;
    try {
      await callPeople("POST", "/passkey/delete-passkey", { id });
      notifyDone(`${name} is removed`);
    } catch (error) {
      notifyProblem(error);
    }
    await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  };
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Stack gap={2} style={{ flex: "1 1 10rem", minWidth: 0 }}>
        <Text fw={600} style={{ overflowWrap: "anywhere" }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          Added on {formatDate(createdAt)}
        </Text>
      </Stack>
      <Group gap="xs">
        <Button variant="default" size="xs" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button variant="default" size="xs" aria-label={`Remove ${name}`} onClick={() => void remove()}>
          Remove
        </Button>
      </Group>
      {isRenaming ? <RenamePasskey id={id} name={name} onClose={() => setRenaming(false)} /> : null}
    </Group>
  );
}
