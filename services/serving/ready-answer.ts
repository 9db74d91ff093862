import { hash } from "node:crypto";
import { type BodyEncoding, EXPOSING_HEADERS, type FlatHeaders, READY_JSON_HEADERS } from "./ready-reply.ts";

/** An answer that only has to be written out. */
export interface ReadyAnswer {
  readonly body: string;
  /** Of the body, in bytes once encoded. */
  readonly length: number;
  readonly encoding: BodyEncoding;
  readonly etag: string;
  /** All headers but `cache-control`, which changes from second to second. */
  readonly headers: FlatHeaders;
}

/** The JSON text with a strong entity tag made from it. */
export function readyAnswer(json: string): ReadyAnswer {
  const length = Buffer.byteLength(json);
  const etag = `"${hash("sha256", json, "base64url").slice(0, 27)}"`;
  const headers = [
    ...READY_JSON_HEADERS,
    ...EXPOSING_HEADERS,
    "etag",
    etag,
    "content-length",
    String(length),
  ];
  return { body: json, length, encoding: length === json.length ? "latin1" : "utf8", etag, headers };
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
