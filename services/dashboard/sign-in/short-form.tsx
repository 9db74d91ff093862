import { Button, type ButtonProps, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { FormNote } from "./form-note.tsx";
import type { Submission } from "./submission.ts";

interface ShortFormProps {
  readonly state: Pick<Submission<object>, "problem" | "refusals" | "isBusy" | "submit">;
  /** What the button says. */
  readonly action: string;
  readonly button?: ButtonProps;
  readonly children: ReactNode;
}

/** A form with one button, which browsers check first; it leads to the first input that was refused. */
export function ShortForm({ state, action, button, children }: ShortFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { refusals, isBusy, problem } = state;
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    void state.submit();
  };
  return (
    <form ref={form} onSubmit={send}>
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
