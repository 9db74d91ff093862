import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError } from "./api-error.ts";
import { CARDS, type Card, cardEnding, DEFAULT_CARD } from "./cards.ts";
import { parseForm } from "./form-encoding.ts";
import { contentSecurityPolicy } from "./page-layout.ts";

/** What a form, or a program in its place, has sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a program asks: it is answered in JSON. */
export function isProgram(request: FastifyRequest): boolean {
  return request.headers["content-type"]?.startsWith("application/json") ?? false;
}

/** The fields of a form or a JSON object. Throws `ApiError` for what cannot be read. */
export function readFields(request: FastifyRequest): Fields {
  const text = typeof request.body === "string" ? request.body : "";
  if (!isProgram(request)) return parseForm(text);
  try {
    return z.record(z.string(), z.unknown()).parse(text === "" ? {} : JSON.parse(text));
  } catch {
    throw unprocessable("The body is not a JSON object.");
  }
}

/** The fields as the schema has them. Throws `ApiError` 422 with the first thing that is wrong. */
export function validFields<T>(schema: z.ZodType<T>, fields: Fields): T {
  const read = schema.safeParse(fields);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw unprocessable(issue?.message ?? "The details are not valid.", String(issue?.path[0] ?? ""));
}

/** The card that was chosen, by its last four digits. Throws `ApiError` 422 for one that the sandbox does not have. */
export function chosenCard(fields: Fields): Card {
  const chosen = cardEnding(fields.card === undefined ? DEFAULT_CARD : textOf(fields.card));
  if (chosen !== undefined) return chosen;
  const known = CARDS.map(({ last4 }) => last4).join(", ");
  throw unprocessable(`The sandbox has the cards ${known}.`, "card");
}

/** A field's text; nothing where it holds something else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Details that make no sense: 422. */
export function unprocessable(message: string, param = ""): ApiError {
  const about = param === "" ? {} : { param };
  return new ApiError(422, { type: "invalid_request_error", code: "parameter_invalid", message, ...about });
}

/** Sends a page; `formTargets` are the origins that its forms may lead to. */
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
