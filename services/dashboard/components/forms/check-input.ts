import type { z } from "zod";
import type { DraftErrors } from "./use-draft.ts";

/** The input to send, or the errors by dotted path, in the words that the inputs show. */
export type Checked<Input> = { readonly input: Input } | { readonly errors: DraftErrors };

/**
 * Checks the values of a form by the server's schema. `ifMissing` has better words than the schema for a value that
 * is blank or unreadable, by path with a star for the index in a list.
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  values: z.input<Schema>,
  ifMissing: Readonly<Record<string, string>> = {},
): Checked<z.output<Schema>> {
  const { success, data, error } = schema.safeParse(values, { reportInput: true });
  if (success) return { input: data };
  const errors: Record<string, string> = {};
  for (const { path: keys, input, message } of error.issues) {
    const path = keys.join(".");
    errors[path] ??= (isMissing(input) ? ifMissing[path.replace(/\.\d+/g, ".*")] : undefined) ?? message;
  }
  return { errors };
}

function isMissing(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === null || Number.isNaN(value) || (Array.isArray(value) && value.length === 0);
}
