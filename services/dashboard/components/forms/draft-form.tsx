import { Button, Group, Stack } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { useConfirm } from "../confirm.tsx";
import { Notice } from "../notice.tsx";
import { type ActionOptions, useAction } from "../use-action.ts";
import type { Checked } from "./check-input.ts";
import { type DraftState, useDraft } from "./use-draft.ts";

interface DraftFormProps {
  readonly state: Pick<DraftFormState<object>, "problem" | "refusals" | "isBusy" | "submit">;
  readonly action: string;
  readonly isDisabled?: boolean;
  readonly onCancel?: () => void;
  /** The accessible name of a form without a heading. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A form that focuses the first rejected input, with its buttons below. */
export function DraftForm(props: DraftFormProps) {
  const { state, action, isDisabled = false, onCancel, label, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.refusals === 0) return;
    const found = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]');
    found?.focus();
  }, [state.refusals]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    // React also reports the submits of forms in portals below this one.
    event.stopPropagation();
    if (!state.isBusy) state.submit();
  };

  return (
    <form ref={form} noValidate onSubmit={send} aria-label={label}>
      <Stack gap="md">
        {state.problem === null ? null : (
          <Notice color="red" icon="alert-circle" role="alert" tabIndex={-1}>
            {state.problem}
          </Notice>
        )}
        {children}
        <Group gap="sm" justify="flex-end">
          {onCancel === undefined ? null : (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={state.isBusy} disabled={isDisabled}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DraftRules<Draft, Input, Result> extends Omit<ActionOptions<Input, Result>, "onProblem"> {
  /** `start` is what the draft began with. */
  readonly check: (draft: Draft, start: Draft) => Checked<Input>;
}

interface DraftFormState<Draft> extends DraftState<Draft> {
  readonly isBusy: boolean;
  readonly submit: () => void;
}

/** The state of a form that is checked and then sent. Errors of either appear at the inputs. */
export function useDraftForm<Draft extends object, Input, Result>(
  initial: Draft,
  { check, ...action }: DraftRules<Draft, Input, Result>,
): DraftFormState<Draft> {
  const state = useDraft(initial);
  const sent = useRef(initial);
  const { isBusy, act } = useAction({
    ...action,
    onProblem: state.refuseBy,
    onDone: (result, client, input) => {
      // First: who leaves while `onDone` still loads loses nothing.
      state.markSaved(sent.current);
      return action.onDone?.(result, client, input);
    },
  });
  const submit = () => {
    const checked = check(state.draft, state.start);
    if ("errors" in checked) return state.refuse(checked.errors);
    sent.current = state.draft;
    void act(checked.input);
  };
  return { ...state, isBusy, submit };
}

/** The form of what is saved: it starts again with what the server made of it, and asks who leaves it with changes. */
export function useSavedForm<Saved, Draft extends object, Input>(
  saved: Saved,
  draftOf: (saved: Saved) => Draft,
  rules: Omit<DraftRules<Draft, Input, Saved>, "onDone">,
): DraftFormState<Draft> {
  const state: DraftFormState<Draft> = useDraftForm(draftOf(saved), {
    ...rules,
    onDone: (result) => state.restart(draftOf(result)),
  });
  useLeaveGuard(state.isDirty);
  return state;
}

/** Asks before the person leaves a form with unsaved changes. */
export function useLeaveGuard(isDirty: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async () =>
      !(await confirm({
        title: "Discard your changes?",
        text: "Your changes haven’t been saved.",
        action: "Discard changes",
      })),
  });
}
