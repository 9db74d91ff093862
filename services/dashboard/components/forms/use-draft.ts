import { useCallback, useState } from "react";
import { fieldErrorsOf, messageOf } from "../../api/problems.ts";

/** Errors by dotted path, in the words that the inputs show. */
export type DraftErrors = Readonly<Record<string, string>>;

/** The keys of a draft whose values are texts. */
type TextKey<Draft> = { [Key in keyof Draft]: Draft[Key] extends string ? Key : never }[keyof Draft] & string;

/** What an input of a text takes. */
export interface TextBinding {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

export interface DraftState<Draft> {
  readonly draft: Draft;
  /** What the draft began with. */
  readonly start: Draft;
  readonly errors: DraftErrors;
  /** An error of the whole form, or of something without an input. */
  readonly problem: string | null;
  readonly isDirty: boolean;
  /** Counts the refusals, so that the form can focus the first error each time. */
  readonly refusals: number;
  /** Binds an input to a text of the draft: `<TextInput {...bind("name")} />`. */
  readonly bind: (key: TextKey<Draft>) => TextBinding;
  /** Changes part of the draft, and removes the errors of that part. */
  readonly change: (patch: Partial<Draft>) => void;
  /** Takes these values for saved; what was typed since stays. */
  readonly markSaved: (sent: Draft) => void;
  /** Starts again, for instance with the saved values. */
  readonly restart: (draft: Draft) => void;
  /** Shows errors that were found before sending. */
  readonly refuse: (errors: DraftErrors) => void;
  /** Shows an error of the server, at the inputs that it names. */
  readonly refuseBy: (error: unknown) => void;
}

/** The values of a form with their errors. Paths begin with a key of the draft: `features.0.label`. */
export function useDraft<Draft extends object>(initial: Draft): DraftState<Draft> {
  const [start, setStart] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);

  const change = useCallback((patch: object) => {
    setDraft((now) => ({ ...now, ...patch }));
    setErrors((now) => withoutKeys(now, Object.keys(patch)));
  }, []);
  const bind = (key: TextKey<Draft>): TextBinding => ({
    name: key,
    value: String(draft[key]),
    error: errors[key],
    onChange: ({ currentTarget }) => change({ [key]: currentTarget.value }),
  });
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
  return {
    draft,
    start,
    errors,
    problem,
    isDirty,
    refusals,
    bind,
    change,
    markSaved: setStart,
    restart,
    refuse,
    refuseBy,
  };
}

/** Splits an error response into errors at inputs with these keys, and one for the whole form if others remain. */
export function refusalOf(
  error: unknown,
  keys: readonly string[],
): { readonly errors: DraftErrors; readonly problem: string | null } {
  const found = Object.entries(fieldErrorsOf(error));
  const isAllShown = found.length > 0 && found.every(([path]) => keys.includes(keyOf(path)));
  return {
    errors: Object.fromEntries(found.map(([path, problems]) => [path, problems.join(" ")])),
    problem: isAllShown ? null : messageOf(error),
  };
}

/** The errors without those of these keys of the draft. */
export function withoutKeys(errors: DraftErrors, keys: readonly string[]): DraftErrors {
  const left = Object.entries(errors).filter(([path]) => !keys.includes(keyOf(path)));
  return left.length === Object.keys(errors).length ? errors : Object.fromEntries(left);
}

/** The errors of a part of the draft, by paths within that part. */
export function errorsBelow(errors: DraftErrors, part: string): DraftErrors {
  const inside = Object.entries(errors).filter(([path]) => path.startsWith(`${part}.`));
  return Object.fromEntries(inside.map(([path, text]) => [path.slice(part.length + 1), text]));
}

/** The errors of a part by their paths in the whole draft. */
export function errorsOfPart(part: string, errors: DraftErrors): DraftErrors {
  return Object.fromEntries(Object.entries(errors).map(([path, text]) => [`${part}.${path}`, text]));
}

/** The key of the draft that a path begins with: `features` of `features.0.label`. */
function keyOf(path: string): string {
  return path.split(".")[0] ?? path;
}
