import { Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { fieldErrorsOf, messageOf, reasonOf, statusOf } from "../api/problems.ts";
import type { IconName } from "../components/icon.tsx";
import { Notice } from "../components/notice.tsx";

/** Whether a decision failed because the ad has changed since it was loaded. */
export function isConflict(error: unknown): boolean {
  const status = statusOf(error);
  return status === 409 || status === 404;
}

interface ConflictProps {
  /** The error of the last decision. Only a conflict is shown. */
  readonly error: unknown;
  readonly fields: readonly Field[];
  readonly onClose: () => void;
}

/** Says that a decision failed and that the page now shows the current version. */
export function Conflict({ error, fields, onClose }: ConflictProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed may be gone.
    if (isConflict(error)) notice.current?.focus();
  }, [error]);
  if (!isConflict(error)) return null;
  const isOutdated = reasonOf(error) === "SUBMITTED_SINCE";
  return (
    <Notice
      ref={notice}
      tabIndex={-1}
      color="orange"
      icon="refresh-alert"
      title={isOutdated ? "The advertiser changed this ad meanwhile" : "Nothing was changed"}
      role="alert"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {isOutdated
        ? "Nothing was decided. You now see what they submitted last; look at it before you decide."
        : `${conflictWords(error, fields)} You now see the current version.`}
    </Notice>
  );
}

/** The messages of a conflict, with field names for those about field values. */
function conflictWords(error: unknown, fields: readonly Field[]): string {
  const named = Object.entries(fieldErrorsOf(error)).map(([path, sentences]) => {
    const field = fields.find(({ key }) => path === `meta.${key}`);
    return `${field === undefined ? "" : `${field.name}: `}${sentences.join(" ")}`;
  });
  return named.length > 0 ? named.join(" ") : messageOf(error);
}

/** The note of the last decision; nothing if it had none. */
export function ReviewNote({ ad }: { readonly ad: Pick<Ad, "status" | "rejectionNote"> }) {
  if (ad.rejectionNote === null) return null;
  if (ad.status !== "Rejected") {
    return <RequestedChanges title="Changes requested: waiting for the advertiser" note={ad.rejectionNote} />;
  }
  return <Note color="red" icon="message-x" title="Rejected" note={ad.rejectionNote} />;
}

interface RequestedProps {
  readonly title: string;
  readonly note: string;
}

/** The changes that the publisher has requested, in their own words. */
export function RequestedChanges(props: RequestedProps) {
  return <Note color="blue" icon="message" {...props} />;
}

function Note({ note, ...notice }: RequestedProps & { readonly color: string; readonly icon: IconName }) {
  return (
    <Notice {...notice}>
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        <bdi dir="auto">{note}</bdi>
      </Text>
    </Notice>
  );
}
