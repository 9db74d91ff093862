import { Button, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notifyDone } from "../shell/notify.ts";
import { callPeople } from "../shell/people-api.ts";
import { sessionQuery, usePerson } from "../shell/session.ts";
import { FormNote } from "../sign-in/form-note.tsx";
import { EmailInput, PasswordField } from "../sign-in/inputs.tsx";
import { ShortForm } from "../sign-in/short-form.tsx";
import { useSubmission } from "../sign-in/submission.ts";
import { AccountSection } from "./account-section.tsx";
import { Dialog } from "./dialog.tsx";
import { explainRefusal } from "./explain-refusal.ts";

/** Shows the e-mail address that the person signs in with, and lets them change it. */
export function EmailSection() {
  const person = usePerson();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [writtenTo, setWrittenTo] = useState<string | null>(null);

  const onAsked = (newEmail: string, isChanged: boolean) => {
    setOpen(false);
    setWrittenTo(isChanged ? null : newEmail);
    if (!isChanged) return;
    queryClient.setQueryData(sessionQuery.queryKey, () => ({ ...person, email: newEmail }));
    notifyDone("E-mail address changed. You are signed out everywhere else.");
  };
  return (
    <AccountSection title="E-mail address" text={`You sign in with ${person.email}.`}>
      <Button variant="default" w="fit-content" onClick={() => setOpen(true)}>
        Change e-mail address
      </Button>
      <FormNote color="blue">
        {writtenTo === null
          ? null
          : `If ${writtenTo} can be used, a link to confirm it is on its way. Open it in this browser within an hour.`}
      </FormNote>
      {isOpen ? <EmailDialog onClose={() => setOpen(false)} onAsked={onAsked} /> : null}
    </AccountSection>
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
        const answer = await callPeople("POST", "/email-change/request", { newEmail, password });
        onAsked(newEmail, isChangedBy(answer));
      },
      explain: explainRefusal,
    },
  );
  const { draft, errors, change } = state;
  return (
    <Dialog title="Change e-mail address" onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">You will be signed out everywhere else once the new address is in use.</Text>
        <ShortForm state={state} action="Change address">
          <EmailInput
            label="New e-mail address"
            value={draft.newEmail}
            error={errors.newEmail}
            onChange={(newEmail) => change({ newEmail })}
            autoFocus
          />
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

/** False where mail is configured: the address then changes only once it is confirmed. */
function isChangedBy(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "isChanged" in answer && answer.isChanged === true;
}
