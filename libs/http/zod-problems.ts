/** A failed validation of zod's, or of any library that keeps the Standard Schema interface. */
interface FailedValidation {
  readonly issues: readonly {
    readonly message: string;
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  }[];
}

/** A body of a million bad elements must not produce an answer of millions of lines. */
const MOST_PROBLEMS = 100;

/** The first 100 problems, by dotted path (`initialPrices.0.amount`), no sentence twice; one of the whole input is a form error. */
export function mapZodError(error: FailedValidation): {
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
} {
  const byPath = new Map<string, Set<string>>();
  for (const { path = [], message } of error.issues.slice(0, MOST_PROBLEMS)) {
    const key = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    byPath.set(key, (byPath.get(key) ?? new Set()).add(message));
  }
  const formErrors = [...(byPath.get("") ?? [])];
  byPath.delete("");
  const fieldErrors = [...byPath].map(([key, messages]): [string, string[]] => [key, [...messages]]);
  return { formErrors, fieldErrors: Object.fromEntries(fieldErrors) };
}
