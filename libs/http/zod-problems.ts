/** A failed validation of zod's, or of any library that keeps the Standard Schema interface. */
interface FailedValidation {
  readonly issues: readonly {
    readonly message: string;
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  }[];
}

/** A body of a million bad elements must not produce an answer of millions of lines. */
const MOST_PROBLEMS = 100;

/** The first 100 problems, by dotted path (`initialPrices.0.amount`); one of the whole input is a form error. */
export function mapZodError(error: FailedValidation): {
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
} {
  const formErrors: string[] = [];
  const byPath = new Map<string, string[]>();
  for (const { path = [], message } of error.issues.slice(0, MOST_PROBLEMS)) {
    const key = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    if (key === "") formErrors.push(message);
    else byPath.set(key, [...(byPath.get(key) ?? []), message]);
  }
  return { formErrors, fieldErrors: Object.fromEntries(byPath) };
}
