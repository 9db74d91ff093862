import type { ServerResponse } from "node:http";
import { httpsHeaders, JSON_SECURITY_HEADERS, PUBLIC_CORS_HEADERS } from "#libs/http/index.ts";

/** Names and values in turn, as Node writes them without looking anything up. */
export type FlatHeaders = readonly string[];

/**
 * On every ready answer. Each header costs a request about a hundredth of its time, so the security headers stay out
 * that only matter to documents, or to readers that CORS lets in anyway.
 */
export const READY_JSON_HEADERS: FlatHeaders = [
  "content-type",
  "application/json; charset=utf-8",
  "x-content-type-options",
  JSON_SECURITY_HEADERS["x-content-type-options"],
];

const ALLOW_ORIGIN = "access-control-allow-origin";
const EXPOSE_HEADERS = "access-control-expose-headers";

/** What a script on another site may read of an answer besides its body: for answers with more to tell than that. */
export const EXPOSING_HEADERS: FlatHeaders = [EXPOSE_HEADERS, PUBLIC_CORS_HEADERS[EXPOSE_HEADERS]];

/** How a body becomes bytes. `latin1` is for plain ASCII, which it writes without looking at each character. */
export type BodyEncoding = "latin1" | "utf8";

/** Writes a ready answer to the request of this id. */
export type ReplyReady = (
  response: ServerResponse,
  requestId: string,
  status: number,
  headers: FlatHeaders,
  body: string,
  encoding: BodyEncoding,
) => void;

/**
 * Makes what writes ready answers past Fastify's serialisation, which for answers this small costs more than everything
 * else; a request that came through Fastify has to be hijacked before. No hook sees them, so what hooks put on every
 * other answer is put on here: the request's id, CORS, HSTS.
 */
export function createReadyReply(publicUrl: URL): ReplyReady {
  const everywhere = [
    ALLOW_ORIGIN,
    PUBLIC_CORS_HEADERS[ALLOW_ORIGIN],
    ...Object.entries(httpsHeaders(publicUrl)).flat(),
  ];

  return (response, requestId, status, headers, body, encoding) => {
    // The body is a text because Node sends a text in one write with the headers, where bytes take a second buffer.
    response.writeHead(status, [...headers, ...everywhere, "x-request-id", requestId]).end(body, encoding);
  };
}
