import { IconRefreshAlert } from "@tabler/icons-react";
import { fieldErrorsOf, messageOf, statusOf } from "../shell/problems.ts";
import type { Field } from "./ad-shapes.ts";
import { Notice } from "./notice.tsx";

/** Whether a decision failed because the ad is not, or is no longer, what was looked at. */
export function isConflict(error: unknown): boolean {
  const status = statusOf(error);
  return status === 409 || status === 404;
}

interface ConflictProps {
  /** What the last decision failed with; anything but a conflict shows nothing. */
  readonly error: unknown;
  readonly fields: readonly Field[];
  readonly onClose: () => void;
}

/** Tells that a decision could not be made, and that what is on the page now is how things stand. */
export function Conflict({ error, fields, onClose }: ConflictProps) {
  if (!isConflict(error)) return null;
  return (
    <Notice
      color="orange"
      icon={<IconRefreshAlert />}
      title="Nothing was changed"
      role="alert"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {conflictWords(error, fields)} What you see now is the current state.
    </Notice>
  );
}

/** The sentences of a conflict; those on a field's value with the name that people know the field by. */
export function conflictWords(error: unknown, fields: readonly Field[]): string {
  const named = Object.entries(fieldErrorsOf(error)).map(([path, sentences]) => {
    const field = fields.find(({ key }) => path === `meta.${key}`);
    return `${field === undefined ? "" : `${field.name}: `}${sentences.join(" ")}`;
  });
  return named.length > 0 ? named.join(" ") : messageOf(error);
}
