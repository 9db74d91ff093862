import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { asMailAddress, LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { ApiError } from "../engine/api-error.ts";
import { CARDS, type Card, cardEnding, DEFAULT_CARD } from "../engine/cards.ts";
import type { Engine } from "../engine/engine.ts";
import { parseForm } from "../engine/form-encoding.ts";
import { processDue } from "../engine/process-due.ts";
import type { RecordKind, Records } from "../engine/record-kinds.ts";
import { contentSecurityPolicy } from "./layout.ts";

/** An email address, as browsers take it. */
export const emailAddress = z
  .string({ error: "This is not an email address." })
  .max(LONGEST_EMAIL, { abort: true, error: "This email address is too long." })
  .refine((typed) => asMailAddress(typed) !== null, "This is not an email address.");

/** The fields of a form, or of a program's JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request about one object. */
export interface ObjectRoute {
  Params: { id: string };
}

/** An object as it is now, with the engine of the account that has it. Throws `ApiError` 404 when none has it. */
export function openObject<K extends RecordKind>(
  platform: Engine,
  kind: K,
  id: string,
): { readonly engine: Engine; readonly record: Records[K] } {
  processDue(platform);
  const engine = platform.forAccount(platform.state.store.ownerOf(kind, id) ?? null);
  return { engine, record: engine.records.get(kind, id) };
}

/** Runs the step of a form. A program gets the error of one that fails; a person gets the page again, from `again`. */
export function submit(
  request: FastifyRequest,
  step: (fields: Fields) => FastifyReply,
  again: (error: ApiError, fields: Fields) => FastifyReply,
): FastifyReply {
  let fields: Fields = {};
  try {
    fields = readFields(request);
    return step(fields);
  } catch (error) {
    if (!(error instanceof ApiError) || isProgram(request)) throw error;
    return again(error, fields);
  }
}

/** Whether the caller is a program, which is answered in JSON. */
export function isProgram(request: FastifyRequest): boolean {
  return request.headers["content-type"]?.startsWith("application/json") ?? false;
}

/** The fields of a form or a JSON object. Throws `ApiError` when the body is malformed. */
export function readFields(request: FastifyRequest): Fields {
  const text = typeof request.body === "string" ? request.body : "";
  if (!isProgram(request)) return parseForm(text);
  try {
    return z.record(z.string(), z.unknown()).parse(text === "" ? {} : JSON.parse(text));
  } catch {
    throw unprocessable("The body is not a JSON object.");
  }
}

/** The fields, validated. Throws `ApiError` 422 with the first problem. */
export function validFields<T>(schema: z.ZodType<T>, fields: Fields): T {
  const read = schema.safeParse(fields);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw unprocessable(issue?.message ?? "The details are not valid.", String(issue?.path[0] ?? ""));
}

/** An optional text without null bytes and lone surrogates; `what` begins its error messages. */
export function plainText(what: string, longest: number) {
  return z
    .string({ error: `${what} must be a text.` })
    .trim()
    .max(longest, `${what} is too long.`)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), `${what} has invalid characters.`)
    .default("");
}

/** The chosen card, by its last four digits. Throws `ApiError` 422 for an unknown one. */
export function chosenCard(fields: Fields): Card {
  const chosen = cardEnding(fields.card === undefined ? DEFAULT_CARD : textOf(fields.card));
  if (chosen !== undefined) return chosen;
  const known = CARDS.map(({ last4 }) => last4).join(", ");
  throw unprocessable(`The sandbox has the cards ${known}.`, "card");
}

/** A field's text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function unprocessable(message: string, param = ""): ApiError {
  const about = param === "" ? {} : { param };
  return new ApiError(422, { type: "invalid_request_error", code: "parameter_invalid", message, ...about });
}

/** Sends a page; its forms may lead to the origins in `formTargets`. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: string,
  formTargets: readonly string[] = [],
): FastifyReply {
  return reply
    .code(status)
    .header("content-security-policy", contentSecurityPolicy(formTargets))
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .type("text/html; charset=utf-8")
    .send(page);
}
