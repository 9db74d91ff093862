import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "#libs/contract/endpoints.ts";
import { conflict, httpError, invalidInput, matchesEtag } from "#libs/http/index.ts";
import { canonicalJson } from "./idempotency/canonical-json.ts";

const SUBMITTED_SINCE =
  "The advertiser changed this ad meanwhile. Look at the new version before you decide.";

/** An element of a list of entity tags (RFC 9110, 8.8.3), which may be empty, and the comma or the end behind it. */
const LISTED_TAG = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;

/** The strong entity tag of an answer: it changes whenever a value in the answer does, whatever row that came from. */
function tagOf(shown: unknown): string {
  const text = canonicalJson(JSON.parse(JSON.stringify(shown)));
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

/**
 * Throws 412 if `If-Match` names other states of a resource than the one that `show` returns, as GET answers it. To be called in the
 * transaction that has locked the resource: of two changes that both name what they saw, one is made.
 */
export async function requireMatch({ headers }: FastifyRequest, show: () => unknown): Promise<void> {
  const tags = readIfMatch(headers["if-match"]);
  if (tags === null || tags.includes(tagOf(await show()))) return;
  throw httpError("PRECONDITION_FAILED");
}

/** Throws 409 with the current version if the body of a decision names another one. */
export function requireVersion(named: number | undefined, current: number): void {
  if (named === undefined || named === current) return;
  throw conflict("SUBMITTED_SINCE", { formErrors: [SUBMITTED_SINCE], version: current });
}

/**
 * Before the handler: throws 422 for an `If-Match` that is neither `*` nor a list of entity tags, and 412 for one at a change whose
 * resource has none. So no change is made whose condition was not looked at.
 */
export function checkIfMatch({ headers }: FastifyRequest, { method, takesIfMatch }: Endpoint): void {
  if (method === "GET") return;
  if (readIfMatch(headers["if-match"]) !== null && !takesIfMatch) throw httpError("PRECONDITION_FAILED");
}

/** Sends the entity tag of an answer. Returns whether the caller has that answer, by `If-None-Match`, so that it is a 304. */
export function sendTag({ method, headers }: FastifyRequest, reply: FastifyReply, shown: unknown): boolean {
  const tag = tagOf(shown);
  reply.header("etag", tag);
  const known = headers["if-none-match"];
  return known !== undefined && (method === "GET" || method === "HEAD") && matchesEtag(known, tag);
}

/** The entity tags of an `If-Match`, weak ones with their `W/`: they never match. Null for `*` and without the header. */
function readIfMatch(header: string | undefined): string[] | null {
  if (header === undefined || header.trim() === "*") return null;
  const tags: string[] = [];
  LISTED_TAG.lastIndex = 0;
  for (;;) {
    const [, tag, end] = LISTED_TAG.exec(header) ?? [];
    if (end === undefined) {
      throw invalidInput("IF_MATCH_MALFORMED", {
        formErrors: ["If-Match must be * or a list of entity tags, each in quotes."],
      });
    }
    if (tag !== undefined) tags.push(tag);
    if (end === "") return tags;
  }
}
