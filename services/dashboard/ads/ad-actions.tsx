import { Button } from "@mantine/core";
import { IconCheck, IconMessageReply, IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useConfirm } from "../shell/confirm.tsx";
import { useMay } from "../shell/workspace.tsx";
import type { Ad } from "./ad-shapes.ts";
import { isConflict } from "./conflict.tsx";
import { type AdAction, allowedActions, type DecisionWords, decisionWords } from "./decisions.ts";
import { NoteDialog } from "./note-dialog.tsx";
import type { useDecide } from "./use-decide.ts";

interface AdActionsProps {
  readonly ad: Ad;
  readonly isServing: boolean;
  readonly decide: ReturnType<typeof useDecide>;
}

const LOOKS = {
  approve: { label: "Approve", icon: IconCheck, look: { variant: "filled" } },
  "request-changes": { label: "Request changes", icon: IconMessageReply, look: { variant: "default" } },
  reject: { label: "Reject", icon: IconX, look: { variant: "default" } },
  pause: { label: "Pause", icon: IconPlayerPause, look: { variant: "default" } },
  resume: { label: "Resume", icon: IconPlayerPlay, look: { variant: "filled" } },
} as const;

/** What can be decided about the ad now, as buttons. What cannot be taken back says first what it does. */
export function AdActions({ ad, isServing, decide }: AdActionsProps) {
  const confirm = useConfirm();
  const mayDecide = useMay("Manager");
  const [asking, setAsking] = useState<{ action: AdAction; words: DecisionWords } | null>(null);
  if (!mayDecide) return null;

  const start = async (action: AdAction) => {
    decide.reset();
    const words = decisionWords(action, ad);
    if (action === "request-changes" || action === "reject") return setAsking({ action, words });
    if (action === "approve" || (await confirm({ ...words, text: words.effects.join(" ") }))) {
      decide.mutate({ action });
    }
  };
  const send = (note: string) => {
    if (asking === null) return;
    decide.mutate(
      { action: asking.action, note },
      {
        onSuccess: () => setAsking(null),
        onError: (error) => {
          if (isConflict(error)) setAsking(null);
        },
      },
    );
  };

  return (
    <>
      {allowedActions(ad, isServing).map((action) => {
        const { label, icon: Icon, look } = LOOKS[action];
        return (
          <Button
            key={action}
            {...look}
            leftSection={<Icon size={16} aria-hidden />}
            loading={decide.isPending && decide.variables.action === action}
            disabled={decide.isPending}
            onClick={() => void start(action)}
          >
            {label}
          </Button>
        );
      })}
      <NoteDialog
        words={asking?.words ?? null}
        isSending={decide.isPending}
        error={decide.error}
        onClose={() => setAsking(null)}
        onSend={send}
      />
    </>
  );
}
