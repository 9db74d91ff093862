import type { z } from "zod";

/** At most this many problems are told; a body of a million bad elements must not make an answer of millions of lines. */
const MOST_PROBLEMS = 100;

/**
 * What zod found, by dotted path (`initialPrices.0.amount`); a problem of the whole input is a form error. The first
 * 100 problems are told.
 */
export function mapZodError(error: z.ZodError): {
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
} {
  const formErrors: string[] = [];
  const byPath = new Map<string, string[]>();
  for (const { path, message } of error.issues.slice(0, MOST_PROBLEMS)) {
    const key = path.map(String).join(".");
    if (key === "") formErrors.push(message);
    else byPath.set(key, [...(byPath.get(key) ?? []), message]);
  }
  return { formErrors, fieldErrors: Object.fromEntries(byPath) };
}
