import { hash } from "node:crypto";

/** An answer that only has to be written out. */
export interface ReadyAnswer {
  readonly body: Buffer;
  readonly etag: string;
}

/** The JSON text as bytes, with a strong entity tag made from them. */
export function readyAnswer(json: string): ReadyAnswer {
  const body = Buffer.from(json);
  return { body, etag: `"${hash("sha256", body, "base64url").slice(0, 27)}"` };
}

/**
 * Whether one of the tags in an `If-None-Match` header means `etag` (RFC 9110, 13.1.2: weak comparison, a list, `*`).
 * A header too long to be honest matches nothing.
 */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true;
  if (ifNoneMatch.length > 4096) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
