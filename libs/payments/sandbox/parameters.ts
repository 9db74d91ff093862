import { z } from "zod";
import { invalidRequest } from "./api-error.ts";
import { type FormObject, parameterName } from "./form-encoding.ts";

// The types that Stripe's parameters are made of, read from the texts of a form.
export const text = z.string().min(1).max(5000);
export const integer = z
  .string()
  .regex(/^-?\d{1,16}$/, "Invalid integer")
  .transform(Number)
  .refine(Number.isSafeInteger, "Invalid integer");
export const boolean = z.enum(["true", "false"]).transform((word) => word === "true");
export const webUrl = z
  .string()
  .max(5000)
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), "Not a valid URL");
export const email = z.email({ error: "Invalid email address" }).max(512);
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= 50, "Metadata can have up to 50 keys");
export const expand = z.array(z.string().max(200)).max(20).optional();
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, "Invalid currency")
  .transform((code) => code.toLowerCase());
const range = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
});
export const listing = {
  limit: integer.refine((limit) => limit >= 1 && limit <= 100, "Must be between 1 and 100").optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  expand,
};
/** For the lists that can be narrowed to a time. */
export const datedListing = { ...listing, created: z.union([integer, range]).optional() };

/** Reads a request's parameters. Throws the `ApiError` that Stripe answers: missing, unknown or invalid. */
export function readParameters<T>(schema: z.ZodType<T>, given: FormObject): T {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  if (issue === undefined) throw invalidRequest("Invalid parameters.");
  if (issue.code === "unrecognized_keys") {
    const param = parameterName([...issue.path, issue.keys[0] ?? ""]);
    throw invalidRequest(`Received unknown parameter: ${param}`, param, "parameter_unknown");
  }
  const param = parameterName(issue.path);
  if (isAbsent(given, issue.path)) {
    throw invalidRequest(`Missing required param: ${param}.`, param, "parameter_missing");
  }
  throw invalidRequest(`Invalid ${param}: ${issue.message}`, param, "parameter_invalid");
}

function isAbsent(given: unknown, path: readonly PropertyKey[]): boolean {
  let at = given;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return true;
    at = Reflect.get(at, key);
  }
  return at === undefined;
}
