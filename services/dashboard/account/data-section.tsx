import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../shell/client.ts";
import { AccountSection } from "./account-section.tsx";
import { PasswordDialog } from "./password-dialog.tsx";

/** Lets the person download their data and delete their account. */
export function DataSection() {
  const [isOpen, setOpen] = useState(false);
  const deleteAccount = async (password: string) => {
    await api.account.delete({ password });
    // A new document, with nothing left of the session.
    location.assign("/sign-in");
  };
  return (
    <AccountSection
      title="Your data"
      text="Everything that is stored about you, as one file. Or delete it, with your account."
    >
      <Group gap="sm">
        <Button
          component="a"
          href="/v1/account/export"
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download my data
        </Button>
        <Button color="red.9" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </Group>
      {isOpen ? (
        <PasswordDialog
          title="Delete your account?"
          text="Your sessions, memberships and API keys end at once, and the invitations you made. What you did stays in the audit logs, without your name. This cannot be undone."
          action="Delete account"
          isDangerous
          onClose={() => setOpen(false)}
          send={deleteAccount}
        />
      ) : null}
    </AccountSection>
  );
}
