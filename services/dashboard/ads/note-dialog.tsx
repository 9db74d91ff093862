import { Button, Group, List, Modal, Textarea } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { countCharacters } from "#libs/domain/storable-text.ts";
import { fieldErrorsOf, messageOf } from "../shell/problems.ts";
import type { DecisionWords } from "./decisions.ts";
import { Notice } from "./notice.tsx";

interface NoteDialogProps {
  /** Null while it is closed. */
  readonly words: DecisionWords | null;
  readonly isSending: boolean;
  /** Why the last attempt failed. The note stays. */
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onSend: (note: string) => void;
}

const LONGEST_NOTE = 500;

/** Asks for the note that goes to the advertiser with a decision, after saying what the decision does. */
export function NoteDialog({ words, isSending, error, onClose, onSend }: NoteDialogProps) {
  const [shown, setShown] = useState(words);
  const [note, setNote] = useState("");
  const [isChecked, setChecked] = useState(false);
  const textarea = useRef<HTMLTextAreaElement>(null);
  // The words stay while the dialog fades out; another decision begins with an empty note.
  useEffect(() => {
    if (words === null) return;
    setShown(words);
    setNote("");
    setChecked(false);
  }, [words]);

  const length = countCharacters(note.trim());
  const problem = noteProblem(length);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem !== null) textarea.current?.focus();
    else if (!isSending) onSend(note.trim());
  };

  return (
    <Modal
      opened={words !== null}
      onClose={() => {
        if (!isSending) onClose();
      }}
      title={shown?.title}
      closeButtonProps={{ "aria-label": "Close" }}
      size="lg"
      centered
    >
      <form onSubmit={send} noValidate>
        <List size="sm" spacing={6} mb="md">
          {shown?.effects.map((effect) => (
            <List.Item key={effect}>{effect}</List.Item>
          ))}
        </List>
        <Textarea
          ref={textarea}
          label="Note to the advertiser"
          description={`${length} of ${LONGEST_NOTE} characters`}
          withAsterisk
          aria-required
          autosize
          minRows={4}
          maxRows={12}
          data-autofocus
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) send(event);
          }}
          error={
            (isChecked || length > LONGEST_NOTE ? problem : null) ?? fieldErrorsOf(error).note?.join(" ")
          }
        />
        {error === null || fieldErrorsOf(error).note !== undefined ? null : (
          <Notice color="red" icon={<IconAlertCircle />} mt="md" role="alert">
            {messageOf(error)}
          </Notice>
        )}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(shown?.isDangerous === true ? { color: "red.9" } : {})}
            loading={isSending}
          >
            {shown?.action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function noteProblem(length: number): string | null {
  if (length === 0) return "Say what is wrong, so that the advertiser knows.";
  return length > LONGEST_NOTE ? `Must have at most ${LONGEST_NOTE} characters.` : null;
}
