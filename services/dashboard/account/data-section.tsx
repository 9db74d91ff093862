import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { DownloadButton } from "../components/download-button.tsx";
import { Section } from "../components/section.tsx";
import { PasswordDialog } from "./password-dialog.tsx";

/** Lets the person download their data and delete their account. */
export function DataSection() {
  const [isOpen, setOpen] = useState(false);
  const deleteAccount = async (password: string) => {
    await api.account.delete({ password });
    // A full page load, so that nothing of the session remains.
    location.assign("/sign-in");
  };
  return (
    <Section
      isPlain
      title="Your data"
      text="Download everything we store about you as one file, or delete it together with your account."
    >
      <Group gap="sm">
        <DownloadButton href="/v1/account/export">Download my data</DownloadButton>
        <Button color="red.9" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </Group>
      {isOpen ? (
        <PasswordDialog
          title="Delete your account?"
          text="Your sessions, memberships, API keys and invitations end immediately. Your actions stay in the audit logs, without your name. This can’t be undone."
          action="Delete account"
          isDangerous
          onClose={() => setOpen(false)}
          send={deleteAccount}
        />
      ) : null}
    </Section>
  );
}
