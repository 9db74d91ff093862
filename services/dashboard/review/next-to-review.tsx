import { Group } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonTo } from "../components/links.tsx";
import { isConflict } from "./notices.tsx";
import { REVIEW_KEYS } from "./review-keys.ts";
import type { Decide } from "./use-decide.ts";

interface NextToReviewProps {
  readonly decide: Pick<Decide<string>, "data" | "error">;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/**
 * Offers after a decision what to review next. The focus goes there, or else to the page's heading: the button that was
 * pressed is gone, or cannot be pressed again.
 */
export function NextToReview({ decide: { data, error }, heading }: NextToReviewProps) {
  const { id: workspaceId } = useWorkspace();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (data !== undefined) (link.current ?? heading.current)?.focus();
  }, [data, heading]);
  useEffect(() => {
    // A conflict takes the focus itself, and a dialog that is still open keeps it.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (error !== null && !isConflict(error) && isLost) heading.current?.focus();
  }, [error, heading]);

  if (data?.next === undefined) return null;
  if (data.next === null) return <Dimmed>Nothing else is waiting for review.</Dimmed>;
  const { adId, name } = data.next;
  return (
    <Group component="nav" aria-label="Review queue">
      <ButtonTo
        ref={link}
        to="/w/$workspaceId/ads/$adId"
        params={{ workspaceId, adId }}
        state={{ isNext: true }}
        aria-keyshortcuts={REVIEW_KEYS.next}
        variant="light"
        rightSection={<Icon name="arrow-right" />}
      >
        Next to review: {name}
      </ButtonTo>
    </Group>
  );
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Whether the page was opened as the next to review: the link that led here is gone, and the heading gets the focus. */
    readonly isNext?: boolean;
  }
}
