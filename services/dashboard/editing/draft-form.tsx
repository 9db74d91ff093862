import { Alert, Button, Group, Stack } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import type { DraftState } from "./use-draft.ts";

interface DraftFormProps {
  readonly state: Pick<DraftState<object>, "problem" | "refusals">;
  /** What the button says: "Save changes". */
  readonly submit: string;
  readonly isSaving: boolean;
  /** Where there is nothing to save. */
  readonly isDisabled?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
  /** Stands in for the form's name where it has no heading. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A form that leads to the first input that was refused, with its buttons below. */
export function DraftForm(props: DraftFormProps) {
  const { state, submit, isSaving, isDisabled = false, onSubmit, onCancel, label, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.refusals === 0) return;
    const found = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]');
    found?.focus();
  }, [state.refusals]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    // A form within the form, as React sees them, is not this one.
    event.stopPropagation();
    if (!isSaving) onSubmit();
  };

  return (
    <form ref={form} noValidate onSubmit={send} aria-label={label}>
      <Stack gap="md">
        {state.problem === null ? null : (
          <Alert color="red" icon={<IconAlertCircle />} role="alert" tabIndex={-1}>
            {state.problem}
          </Alert>
        )}
        {children}
        <Group gap="sm" justify="flex-end">
          {onCancel === undefined ? null : (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={isSaving} disabled={isDisabled}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
