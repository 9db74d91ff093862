import { z } from "zod";
import { MAIL_ADDRESS } from "#libs/domain/email-address.ts";
import { invalidRequest, missing } from "../engine/api-error.ts";
import type { Engine } from "../engine/engine.ts";
import { type FormObject, parameterName } from "../engine/form-encoding.ts";
import type { RecordKind, Records } from "../engine/record-kinds.ts";
import type { List } from "../engine/records.ts";
import type { Selection } from "../engine/store.ts";

/** One endpoint of Stripe's API. A write runs in a transaction; an exception rolls it back. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** With `:id` for the object's id. */
  readonly path: string;
  /** Reads the parameters, which may throw, and returns the call to make. */
  prepare(given: FormObject): (engine: Engine, id: string) => object;
}

/** Declares an endpoint by its parameters and its handler. */
export function endpoint<T>(
  method: Endpoint["method"],
  path: string,
  schema: z.ZodType<T>,
  handle: (engine: Engine, params: T, id: string) => object,
): Endpoint {
  return {
    method,
    path,
    prepare: (given) => {
      const params = readParameters(schema, given);
      return (engine, id) => handle(engine, params, id);
    },
  };
}

// The types of Stripe's parameters, read from the texts of a form.
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
export const email = z.string().max(512).regex(MAIL_ADDRESS, "Invalid email address");
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= 50, "Metadata can have up to 50 keys");
export const expand = z.array(z.string().max(200)).max(20).optional();
export const retrieval = z.strictObject({ expand });
export const listing = {
  limit: integer.refine((limit) => limit >= 1 && limit <= 100, "Must be between 1 and 100").optional(),
  starting_after: text.optional(),
  expand,
};

const DEFAULT_LIMIT = 10;

/** One page of the objects of a kind, newest first. */
export function pageOf<K extends RecordKind>(
  { records }: Engine,
  kind: K,
  url: string,
  params: { readonly limit?: number | undefined; readonly starting_after?: string | undefined },
  where: Selection["where"] = {},
): List<Records[K]> {
  const { limit = DEFAULT_LIMIT, starting_after: after } = params;
  if (after !== undefined && records.find(kind, after) === undefined) {
    throw missing(kind, after, "starting_after");
  }
  const found = records.list(kind, { where, after, limit: limit + 1 });
  return { object: "list", data: found.slice(0, limit), has_more: found.length > limit, url };
}

/** Reads a request's parameters. Throws Stripe's `ApiError` for a missing, unknown or invalid one. */
function readParameters<T>(schema: z.ZodType<T>, given: FormObject): T {
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
