import { useCallback, useState } from "react";
import { type DraftErrors, refusalOf, withoutKeys } from "./draft-errors.ts";

export interface DraftState<Draft> {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  /** What is wrong with the whole, or with something that the form has no input for. */
  readonly problem: string | null;
  /** Whether anything differs from how the form began. */
  readonly isDirty: boolean;
  /** Counts what was refused, so that the form can lead to the first problem each time. */
  readonly refusals: number;
  /** Changes part of the draft; what was said about that part goes. */
  readonly change: (patch: Partial<Draft>) => void;
  /** Begins anew, with what has been saved for instance. */
  readonly restart: (draft: Draft) => void;
  /** Shows what speaks against the draft before it is sent. */
  readonly refuse: (errors: DraftErrors) => void;
  /** Shows what the server said, at the inputs that it names. */
  readonly refuseBy: (error: unknown) => void;
}

/** A form's values with what is wrong with them. Paths begin with a key of the draft: `features.0.label`. */
export function useDraft<Draft extends object>(initial: Draft): DraftState<Draft> {
  const [start, setStart] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);

  const change = useCallback((patch: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...patch }));
    setErrors((now) => withoutKeys(now, Object.keys(patch)));
  }, []);
  const restart = useCallback((values: Draft) => {
    setStart(values);
    setDraft(values);
    setErrors({});
    setProblem(null);
  }, []);
  const refuse = useCallback((found: DraftErrors) => {
    setErrors(found);
    setProblem(null);
    setRefusals((count) => count + 1);
  }, []);
  const refuseBy = useCallback(
    (error: unknown) => {
      const refusal = refusalOf(error, Object.keys(start));
      setErrors(refusal.errors);
      setProblem(refusal.problem);
      setRefusals((count) => count + 1);
    },
    [start],
  );
  const isDirty = JSON.stringify(draft) !== JSON.stringify(start);
  return { draft, errors, problem, isDirty, refusals, change, restart, refuse, refuseBy };
}
