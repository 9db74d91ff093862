import { ActionIcon, Button, Menu } from "@mantine/core";
import { useState } from "react";
import type { Ad } from "#libs/contract/ad.ts";
import { useMay } from "../api/workspace.ts";
import { useConfirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { useRefundOffer } from "../components/use-refund-offer.ts";
import { type AdAction, allowedActions, decisionWords } from "./decisions.ts";
import { type Asked, NoteDialog } from "./note-dialog.tsx";
import { isReviewKey, REVIEW_KEYS } from "./review-keys.ts";
import type { Decide } from "./use-decide.ts";

interface AdActionsProps {
  readonly ad: Ad;
  readonly isServing: boolean;
  readonly decide: Decide<AdAction>;
}

const LOOKS = {
  approve: { label: "Approve", icon: "check", look: { variant: "filled" } },
  "request-changes": { label: "Request changes", icon: "message-reply", look: { variant: "default" } },
  reject: { label: "Reject", icon: "x", look: { variant: "default" } },
  pause: { label: "Pause", icon: "player-pause", look: { variant: "default" } },
  resume: { label: "Resume", icon: "player-play", look: { variant: "filled" } },
} as const;

/** The decisions that the ad allows now, as buttons. Irreversible ones first describe their effects. */
export function AdActions({ ad, isServing, decide }: AdActionsProps) {
  const confirm = useConfirm();
  const mayDecide = useMay("Manager");
  const [asked, setAsked] = useState<Asked<AdAction> | null>(null);
  const refund = useRefundOffer(ad);
  if (!mayDecide) return null;

  const start = async (action: AdAction) => {
    decide.reset();
    if (action === "approve") return decide.mutate({ action });
    const words = decisionWords(action, ad);
    if (action === "request-changes" || action === "reject") return setAsked({ action, words });
    if (await confirm({ ...words, text: words.effects.join(" "), isDangerous: false }))
      decide.mutate({ action });
  };

  const allowed = allowedActions(ad, isServing);
  // Ending a live ad is for good, so it stands apart from the everyday decisions.
  const isLive = ad.status === "Approved";
  return (
    <>
      {allowed
        .filter((action) => action !== "reject" || !isLive)
        .map((action) => {
          const { label, icon, look } = LOOKS[action];
          return (
            <Button
              key={action}
              {...look}
              {...(isReviewKey(action) ? { "aria-keyshortcuts": REVIEW_KEYS[action] } : {})}
              leftSection={<Icon name={icon} />}
              loading={decide.isPending && decide.variables.action === action}
              disabled={decide.isPending}
              onClick={() => void start(action)}
            >
              {label}
            </Button>
          );
        })}
      {isLive && allowed.includes("reject") ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="default"
              size="input-sm"
              aria-label="More actions"
              disabled={decide.isPending}
            >
              <Icon name="dots" size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<Icon name="x" />}
              onClick={() => void start("reject")}
            >
              Take down
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : null}
      <NoteDialog
        asked={asked}
        decide={decide}
        refund={asked?.action === "reject" ? refund : null}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
