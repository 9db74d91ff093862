import { useState } from "react";
import type { DraftErrors } from "../editing/draft-errors.ts";
import { type DraftState, useDraft } from "../editing/use-draft.ts";

interface Rules<Draft> {
  /** What speaks against the draft before it is sent, by its keys. */
  readonly check?: (draft: Draft) => DraftErrors;
  readonly send: (draft: Draft) => Promise<void>;
  /** What an error means here, in other words; null to say what it says of itself. */
  readonly explain?: (error: unknown) => string | null;
}

export interface Submission<Draft> extends DraftState<Draft> {
  readonly isBusy: boolean;
  readonly submit: () => Promise<void>;
}

/** A short form that is sent once at a time; what was wrong stands at its inputs, the rest in `problem`. */
export function useSubmission<Draft extends object>(
  initial: Draft,
  { check = () => ({}), send, explain = () => null }: Rules<Draft>,
): Submission<Draft> {
  const state = useDraft(initial);
  const [isBusy, setBusy] = useState(false);
  const [explained, setExplained] = useState<string | null>(null);

  const submit = async () => {
    const errors = check(state.draft);
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
