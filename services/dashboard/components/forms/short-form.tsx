import { Button, type ButtonProps, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { explainAuthError } from "../../api/auth-api.ts";
import { FormNote } from "../notice.tsx";
import { type DraftErrors, type DraftState, useDraft } from "./use-draft.ts";

interface ShortFormProps {
  readonly state: Pick<Submission<object>, "problem" | "refusals" | "isBusy" | "submit">;
  readonly action: string;
  readonly button?: ButtonProps;
  readonly children: ReactNode;
}

/**
 * A form with one button. What the browser finds wrong is shown at the inputs, as what the server finds is; the first such
 * input gets the focus.
 */
export function ShortForm({ state, action, button, children }: ShortFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { refusals, isBusy, problem } = state;
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void state.submit(problemsIn(event.currentTarget));
  };
  return (
    <form ref={form} onSubmit={send} noValidate>
      <Stack>
        {children}
        <FormNote color="red">{problem}</FormNote>
        <Button type="submit" loading={isBusy} {...button}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}

/** What the browser finds wrong, by the names of the inputs. */
function problemsIn(form: HTMLFormElement): DraftErrors {
  const inputs = [...form.elements].filter((one) => one instanceof HTMLInputElement && !one.validity.valid);
  return Object.fromEntries(
    inputs.flatMap((input) => (input instanceof HTMLInputElement ? [[input.name, problemOf(input)]] : [])),
  );
}

function problemOf({ validity, type, validationMessage }: HTMLInputElement): string {
  if (validity.valueMissing) return "This field is required.";
  return type === "email" ? "Enter an email address, such as you@example.com." : validationMessage;
}

interface Rules<Draft> {
  /** What is wrong with the draft before it is sent, by its keys. */
  readonly check?: (draft: Draft) => DraftErrors;
  readonly send: (draft: Draft) => Promise<void>;
  /** Explains an error in this form's words; null for the error's own message. */
  readonly explain?: (error: unknown) => string | null;
}

interface Submission<Draft> extends DraftState<Draft> {
  readonly isBusy: boolean;
  /** Sends the draft, unless something is wrong with it: `found` by the browser, or by the form's own check. */
  readonly submit: (found?: DraftErrors) => Promise<void>;
}

/** The state of a short form that is sent once at a time. Errors appear at the inputs, others in `problem`. */
export function useSubmission<Draft extends object>(
  initial: Draft,
  { check = () => ({}), send, explain = explainAuthError }: Rules<Draft>,
): Submission<Draft> {
  const state = useDraft(initial);
  const [isBusy, setBusy] = useState(false);
  const [explained, setExplained] = useState<string | null>(null);

  const submit = async (found: DraftErrors = {}) => {
    const errors = { ...check(state.draft), ...found };
    setExplained(null);
    state.refuse(errors);
    if (isBusy || Object.keys(errors).length > 0) return;
    setBusy(true);
    try {
      await send(state.draft);
    } catch (error) {
      const words = explain(error);
      if (words === null) state.refuseBy(error);
      else setExplained(words);
    } finally {
      setBusy(false);
    }
  };
  return { ...state, problem: explained ?? state.problem, isBusy, submit };
}
