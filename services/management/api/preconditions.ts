import type { FastifyReply, FastifyRequest } from "fastify";
import { conflict, invalidInput } from "#libs/http/index.ts";

/** What a decision on submitted content is about. */
export interface SeenVersion {
  /** Throws 409 with the current version if the request names another one. */
  readonly require: (current: number) => void;
}

const SUBMITTED_SINCE =
  "The advertiser changed this ad meanwhile. Look at the new version before you decide.";

/** An element of a list of entity tags (RFC 9110, 8.8.3), which may be empty, and the comma or the end behind it. */
const LISTED_TAG = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;

/**
 * Reads the version that the request is about, from `If-Match` and from its body; both have to be the current one, and a
 * request that names none is about whatever is current. Throws 422 for an `If-Match` that is neither `*` nor a list of
 * entity tags.
 */
export function readSeenVersion({ headers }: FastifyRequest, inBody: number | undefined): SeenVersion {
  const tags = readIfMatch(headers["if-match"]);
  return {
    require(version) {
      const isCurrent = (inBody ?? version) === version && (tags?.includes(etagOf(version)) ?? true);
      if (!isCurrent) throw conflict("SUBMITTED_SINCE", { formErrors: [SUBMITTED_SINCE], version });
    },
  };
}

/** Sends the version of the answer as its `ETag`. */
export function sendVersion(reply: FastifyReply, version: number): void {
  reply.header("etag", etagOf(version));
}

function etagOf(version: number): string {
  return `"${version}"`;
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
