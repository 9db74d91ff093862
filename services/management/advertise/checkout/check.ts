import { submission as submissionShape } from "#libs/contract/checkout.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { invalidInput, mapZodError } from "#libs/http/index.ts";
import type { Submission } from "../../checkout/submission.ts";
import type { ShownField } from "./visit.ts";

/**
 * The submission as the contract takes it. Throws `HttpError` 422 with everything that is wrong at once: the contract by
 * itself does not look at the workspace's fields before all else is right.
 */
export function checkSubmission(given: Submission, fields: readonly ShownField[]): Submission {
  const parsed = submissionShape.safeParse(given);
  if (parsed.success) return parsed.data;
  const { formErrors, fieldErrors } = mapZodError(parsed.error);
  const values = checkFieldValues(fields, given.meta, "advertiser");
  throw invalidInput({
    formErrors,
    fieldErrors: { ...fieldErrors, ...(values.ok ? {} : values.fieldErrors) },
  });
}
