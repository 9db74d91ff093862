import { Box, Button, Group, List, Menu, Modal, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { LONGEST } from "#libs/domain/limits.ts";
import { countCharacters } from "#libs/domain/storable-text.ts";
import { query } from "../api/client.ts";
import { fieldErrorsOf, messageOf } from "../api/problems.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import { Notice } from "../components/notice.tsx";
import { RefundChoice } from "../components/refund-choice.tsx";
import type { Offered } from "../components/use-refund-offer.ts";
import type { DecisionWords } from "./decisions.ts";
import { isConflict } from "./notices.tsx";
import type { Decide } from "./use-decide.ts";

/** A decision that needs a note, with the words of its dialog. */
export interface Asked<Action> {
  readonly action: Action;
  readonly words: DecisionWords;
}

interface NoteDialogProps<Action extends string> {
  readonly asked: Asked<Action> | null;
  readonly decide: Decide<Action>;
  /** A refund to choose; undefined while it is not known, null for none, `away` where it cannot be looked up. */
  readonly refund?: Offered;
  readonly onClose: () => void;
}

/** Describes the effects of a decision, asks for the note to the advertiser and makes the decision. */
export function NoteDialog<Action extends string>(props: NoteDialogProps<Action>) {
  const { asked, decide, onClose } = props;
  // Null, not undefined, for a dialog that offers none.
  const known = "refund" in props ? props.refund : null;
  const refund = known === "away" ? null : known;
  const [shown, setShown] = useState(asked);
  const [note, setNote] = useState("");
  const [isChecked, setChecked] = useState(false);
  /** Null until somebody decides. */
  const [isRefunded, setRefunded] = useState<boolean | null>(null);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const { error, isPending: isSending } = decide;
  // The text stays while the dialog fades out. Another decision starts with an empty note.
  useEffect(() => {
    if (asked === null) return;
    setShown(asked);
    setNote("");
    setChecked(false);
    setRefunded(null);
  }, [asked]);

  const isWaiting = refund === undefined;
  const length = countCharacters(note.trim());
  const problem = noteProblem(length);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem !== null) return textarea.current?.focus();
    if (isSending || isWaiting || asked === null) return;
    decide.mutate(
      { action: asked.action, note: note.trim(), refund: isRefunded ?? refund?.isUsual ?? false },
      {
        onSuccess: onClose,
        onError: (failure) => {
          // The page shows conflicts.
          if (isConflict(failure)) onClose();
        },
      },
    );
  };

  return (
    <Modal
      opened={asked !== null}
      onClose={() => {
        if (!isSending) onClose();
      }}
      title={shown?.words.title}
      closeButtonProps={{ "aria-label": "Close" }}
      // After a decision the page has a better place for the focus.
      returnFocus={!decide.isSuccess}
      size="lg"
      centered
    >
      <form onSubmit={send} noValidate>
        <List size="sm" spacing={6} mb="md">
          {shown?.words.effects.map((effect) => (
            <List.Item key={effect}>{effect}</List.Item>
          ))}
        </List>
        <SavedReplies
          onChoose={(reply) => {
            setNote((typed) => (typed.trim() === "" ? reply : `${typed.trimEnd()}\n\n${reply}`));
            textarea.current?.focus();
          }}
        />
        <Textarea
          ref={textarea}
          label="Note to the advertiser"
          description={`${length} of ${LONGEST.note} characters`}
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
            (isChecked || length > LONGEST.note ? problem : null) ?? fieldErrorsOf(error).note?.join(" ")
          }
        />
        <Box mt="md">
          <RefundChoice
            offer={known}
            act="Rejecting"
            isRefunded={isRefunded ?? refund?.isUsual ?? false}
            onChange={setRefunded}
          />
        </Box>
        {error === null || fieldErrorsOf(error).note !== undefined ? null : (
          <Notice color="red" icon="alert-circle" mt="md" role="alert">
            {messageOf(error)}
          </Notice>
        )}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(shown?.action === "reject" ? { color: "red.9" } : {})}
            loading={isSending || isWaiting}
          >
            {shown?.words.action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function noteProblem(length: number): string | null {
  if (length === 0) return "Tell the advertiser what needs to change.";
  return length > LONGEST.note ? `Must have at most ${LONGEST.note} characters.` : null;
}

/** Offers the workspace's saved replies. Nothing if there are none. */
function SavedReplies({ onChoose }: { readonly onChoose: (reply: string) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(query.settings.get.queryOptions({ input: { workspaceId } }));
  const replies = data?.savedReplies ?? [];
  if (replies.length === 0) return null;
  return (
    <Menu position="bottom-start" width={360}>
      <Menu.Target>
        <Button variant="default" size="xs" mb="xs" rightSection={<Icon name="chevron-down" size={14} />}>
          Use a saved reply
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={280} style={{ overflowY: "auto" }}>
        {[...new Set(replies)].map((reply) => (
          <Menu.Item key={reply} style={{ whiteSpace: "normal" }} onClick={() => onChoose(reply)}>
            <bdi dir="auto">{reply}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
