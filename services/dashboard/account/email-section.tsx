import { Button, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callAuth, valueIn } from "../api/auth-api.ts";
import { sessionQuery, usePerson } from "../api/session.ts";
import { Dialog } from "../components/dialog.tsx";
import { EmailInput, PasswordField } from "../components/forms/inputs.tsx";
import { ShortForm, useSubmission } from "../components/forms/short-form.tsx";
import { FormNote } from "../components/notice.tsx";
import { notifyDone } from "../components/notify.ts";
import { Section } from "../components/section.tsx";

/** Shows the email address of the person, and lets them change it. */
export function EmailSection() {
  const person = usePerson();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);

  const onAsked = (newEmail: string, isChanged: boolean) => {
    setOpen(false);
    setSentTo(isChanged ? null : newEmail);
    if (!isChanged) return;
    queryClient.setQueryData(sessionQuery.queryKey, () => ({ ...person, email: newEmail }));
    notifyDone("Email address changed. You’re signed out everywhere else.");
  };
  return (
    <Section isPlain title="Email address" text={`You sign in with ${person.email}.`}>
      <Button variant="default" w="fit-content" onClick={() => setOpen(true)}>
        Change email address
      </Button>
      <FormNote color="blue">
        {sentTo === null
          ? null
          : `If ${sentTo} can be used, we’ve sent a confirmation link to it. Open it in this browser within an hour.`}
      </FormNote>
      {isOpen ? <EmailDialog onClose={() => setOpen(false)} onAsked={onAsked} /> : null}
    </Section>
  );
}

interface EmailDialogProps {
  readonly onClose: () => void;
  readonly onAsked: (newEmail: string, isChanged: boolean) => void;
}

function EmailDialog({ onClose, onAsked }: EmailDialogProps) {
  const state = useSubmission(
    { newEmail: "", password: "" },
    {
      send: async (draft) => {
        const newEmail = draft.newEmail.trim().toLowerCase();
        const { password } = draft;
        const answer = await callAuth("POST", "/email-change/request", { newEmail, password });
        // False if email is configured: the address then changes only after it is confirmed.
        onAsked(newEmail, valueIn(answer, "isChanged") === true);
      },
    },
  );
  return (
    <Dialog title="Change email address" onClose={onClose}>
      <Text size="sm">You’ll be signed out everywhere else once the new address is in use.</Text>
      <ShortForm state={state} action="Change address">
        <EmailInput label="New email address" {...state.bind("newEmail")} autoFocus />
        <PasswordField label="Your password" {...state.bind("password")} />
      </ShortForm>
    </Dialog>
  );
}
