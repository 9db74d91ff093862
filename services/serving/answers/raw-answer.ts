// Answers written past Fastify's serialisation, which for small ones costs more than everything else.
import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { httpsHeaders, JSON_SECURITY_HEADERS, PUBLIC_CORS_HEADERS } from "#libs/http/index.ts";

/** Names and values in turn, as Node writes them without looking anything up. */
export type FlatHeaders = readonly string[];

/** How a body becomes bytes. `latin1` is for plain ASCII, which it writes without checking each character. */
type BodyEncoding = "latin1" | "utf8";

/** A request and its response, by whichever way the request came. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** A JSON body and its headers; those that change from second to second are added when it is written. */
export interface RawAnswer {
  readonly body: string;
  /** The length of the encoded body, in bytes. */
  readonly length: number;
  readonly encoding: BodyEncoding;
  readonly etag: string;
  readonly headers: FlatHeaders;
}

/** Writes an answer to a request. */
export type WriteRaw = (
  exchange: Pick<Exchange, "response" | "requestId">,
  status: number,
  headers: FlatHeaders,
  body: string,
  encoding: BodyEncoding,
) => void;

/**
 * On every raw answer. Each header costs about a hundredth of a request's time, so the security headers are left out that
 * only matter to documents, or to readers that CORS lets in anyway.
 */
export const JSON_HEADERS: FlatHeaders = [
  "content-type",
  "application/json; charset=utf-8",
  "x-content-type-options",
  JSON_SECURITY_HEADERS["x-content-type-options"],
];

const MAX_AGE = 5;
const SHARED_MAX_AGE = 10;
const STALE_WHILE_REVALIDATE = 30;
const LONGEST_CACHED = SHARED_MAX_AGE + STALE_WHILE_REVALIDATE;

const CACHE_CONTROL_BY_SECONDS = Array.from({ length: LONGEST_CACHED + 1 }, (_, left) => {
  const shared = Math.min(SHARED_MAX_AGE, left);
  const stale = Math.min(STALE_WHILE_REVALIDATE, left - shared);
  return `public, max-age=${Math.min(MAX_AGE, left)}, s-maxage=${shared}, stale-while-revalidate=${stale}`;
});

const ALLOW_ORIGIN = "access-control-allow-origin";
const EXPOSE_HEADERS = "access-control-expose-headers";

/** Lets scripts of other sites read more than the body: for answers whose headers matter. */
export const EXPOSING_HEADERS: FlatHeaders = [EXPOSE_HEADERS, PUBLIC_CORS_HEADERS[EXPOSE_HEADERS]];

/** A strong entity tag of what an answer is made of. */
export function createEtag(content: string): string {
  return `"${hash("sha256", content, "base64url").slice(0, 27)}"`;
}

/** The JSON text as an answer. `etag` is given where it is known already. */
export function createRawAnswer(json: string, etag = createEtag(json)): RawAnswer {
  const length = Buffer.byteLength(json);
  const headers = [...JSON_HEADERS, ...EXPOSING_HEADERS, "etag", etag, "content-length", String(length)];
  return { body: json, length, encoding: length === json.length ? "latin1" : "utf8", etag, headers };
}

/** `Cache-Control` of an answer that is valid for `milliseconds` more: no cache may show it longer, stale or not. */
export function cacheControl(milliseconds: number): string {
  const left = Math.max(0, Math.min(LONGEST_CACHED, Math.floor(milliseconds / 1000)));
  return CACHE_CONTROL_BY_SECONDS[left] ?? "no-store";
}

/** Takes a request that came through Fastify out of its hands. */
export function hijack(request: FastifyRequest, reply: FastifyReply): Exchange {
  reply.hijack();
  return { request: request.raw, response: reply.raw, requestId: request.id };
}

/** Creates the function that writes raw answers. It adds what Fastify's hooks add to others: request id, CORS, HSTS. */
export function createRawWriter(publicUrl: URL): WriteRaw {
  const everywhere = [
    ALLOW_ORIGIN,
    PUBLIC_CORS_HEADERS[ALLOW_ORIGIN],
    ...Object.entries(httpsHeaders(publicUrl)).flat(),
  ];

  return ({ response, requestId }, status, headers, body, encoding) => {
    // Node sends a string in one write with the headers; bytes would take a second one.
    response.writeHead(status, [...headers, ...everywhere, "x-request-id", requestId]).end(body, encoding);
  };
}
