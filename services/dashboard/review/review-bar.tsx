import { Button, Group, Kbd, Text } from "@mantine/core";
import { useHotkeys, useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ToReview } from "#libs/contract/ads.ts";
import { query } from "../api/client.ts";
import { PER_PAGE } from "../api/load-all-pages.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { formatCount } from "../components/format.ts";
import { Icon } from "../components/icon.tsx";
import { ButtonTo } from "../components/links.tsx";
import { REVIEW_KEYS, type ReviewKey } from "./review-keys.ts";

/** The ad's place among those that have waited longest, the ads before and after it, and the keys that decide. */
export function ReviewBar({ adId }: { readonly adId: string }) {
  const { id: workspaceId } = useWorkspace();
  const mayDecide = useMay("Manager");
  const queue = useQuery(query.ads.toReview.queryOptions({ input: { workspaceId, perPage: PER_PAGE } }));
  const { items, total } = queue.data ?? { items: [], total: 0 };
  const place = items.findIndex((entry) => entry.adId === adId);
  const keys = useReviewKeys(mayDecide);
  if (place < 0) return null;
  return (
    <Group justify="space-between" gap="sm">
      <Group component="nav" aria-label="Review queue" gap="xs">
        <StepTo entry={items[place - 1]} to="previous">
          Previous
        </StepTo>
        <StepTo entry={items[place + 1]} to="next">
          Next
        </StepTo>
        <Dimmed span>
          {formatCount(place + 1)} of {formatCount(total)} to review
        </Dimmed>
      </Group>
      {mayDecide ? <KeyHelp {...keys} /> : null}
    </Group>
  );
}

interface StepToProps {
  readonly entry: ToReview | undefined;
  readonly to: "previous" | "next";
  readonly children: ReactNode;
}

function StepTo({ entry, to, children }: StepToProps) {
  const { id: workspaceId } = useWorkspace();
  const look = {
    variant: "default",
    size: "xs",
    ...(to === "next"
      ? { rightSection: <Icon name="chevron-right" size={14} /> }
      : { leftSection: <Icon name="chevron-left" size={14} /> }),
  } as const;
  if (entry === undefined) {
    return (
      <Button {...look} disabled>
        {children}
      </Button>
    );
  }
  return (
    <ButtonTo
      {...look}
      to="/w/$workspaceId/ads/$adId"
      params={{ workspaceId, adId: entry.adId }}
      state={{ isNext: true }}
      aria-keyshortcuts={REVIEW_KEYS[to]}
    >
      {children}
    </ButtonTo>
  );
}

const HELP: readonly { readonly key: ReviewKey; readonly words: string }[] = [
  { key: "next", words: "next" },
  { key: "previous", words: "previous" },
  { key: "approve", words: "approve" },
  { key: "request-changes", words: "request changes" },
  { key: "reject", words: "reject" },
];

/** The keys stay after a decision, which takes the ad out of the queue. They can be turned off: speech input may type them by accident. */
function useReviewKeys(mayDecide: boolean): KeyHelpProps {
  const [isOn, setOn] = useLocalStorage({ key: "placard-review-keys", defaultValue: true });
  const keys = HELP.map(({ key }): [string, () => void] => [REVIEW_KEYS[key], () => press(REVIEW_KEYS[key])]);
  useHotkeys(isOn && mayDecide ? keys : []);
  return { isOn, onChange: setOn };
}

interface KeyHelpProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Names the keys. */
function KeyHelp({ isOn, onChange }: KeyHelpProps) {
  return (
    <Group gap="xs" visibleFrom="md">
      {isOn
        ? HELP.map(({ key, words }) => (
            <Text key={key} span size="xs" c="dimmed">
              <Kbd size="xs">{REVIEW_KEYS[key]}</Kbd> {words}
            </Text>
          ))
        : null}
      <Button variant="subtle" size="compact-xs" onClick={() => onChange(!isOn)}>
        {isOn ? "Turn keys off" : "Turn keys on"}
      </Button>
    </Group>
  );
}

/** Presses what names the key as its shortcut; nothing while a dialog is open, or if the ad doesn't allow it now. */
function press(key: string): void {
  if (document.querySelector('[role="dialog"]') !== null) return;
  document
    .querySelector<HTMLElement>(`main [aria-keyshortcuts="${key}"]:not([disabled], [data-disabled])`)
    ?.click();
}
