import { ORPCError } from "@orpc/client";

const OFFLINE = "We can’t reach the server. Check your connection and try again.";
const FAILED = "Something went wrong on our side. Try again in a moment.";

/** The messages for each input of a form by dotted path; empty if the error is about none. */
export function fieldErrorsOf(error: unknown): Record<string, string[]> {
  return problemsIn(error)?.fieldErrors ?? {};
}

/** An error as one or more sentences for people. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ORPCError)) return error instanceof TypeError ? OFFLINE : FAILED;
  const problems = problemsIn(error);
  if (problems !== null) {
    if (problems.formErrors.length > 0) return problems.formErrors.join(" ");
    const [first] = Object.values(problems.fieldErrors).flat();
    return first ?? "Please check what you entered.";
  }
  if (error.status >= 500 && error.status !== 502 && error.status !== 503) return FAILED;
  // Only our own sentences, not codes or a proxy's answer.
  return /\s/.test(error.message) ? error.message : FAILED;
}

/** The status of an error response; null without a response. */
export function statusOf(error: unknown): number | null {
  return error instanceof ORPCError ? error.status : null;
}

/** The code of an error response; null without a response. */
export function codeOf(error: unknown): string | null {
  return error instanceof ORPCError ? error.code : null;
}

/** The reason of a refusal, for what depends on it; null without one. */
export function reasonOf(error: unknown): string | null {
  if (!(error instanceof ORPCError) || !isRecord(error.data)) return null;
  return typeof error.data.reason === "string" ? error.data.reason : null;
}

interface Problems {
  readonly formErrors: string[];
  readonly fieldErrors: Record<string, string[]>;
}

function problemsIn(error: unknown): Problems | null {
  if (!(error instanceof ORPCError) || !isRecord(error.data)) return null;
  const { formErrors, fieldErrors } = error.data;
  if (!Array.isArray(formErrors) && !isRecord(fieldErrors)) return null;
  return {
    formErrors: textsIn(formErrors),
    fieldErrors: isRecord(fieldErrors)
      ? Object.fromEntries(Object.entries(fieldErrors).map(([path, found]) => [path, textsIn(found)]))
      : {},
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
