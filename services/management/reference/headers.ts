import type { OpenAPI } from "@orpc/contract";
import type { Endpoint } from "#libs/contract/endpoints.ts";
import { TRACKING } from "./parameters.ts";

/** Every header of an answer that an integrator may rely on, for `components.headers`. */
export const HEADERS: Readonly<Record<string, OpenAPI.HeaderObject>> = {
  "x-request-id": {
    description: "The request's id, as in the log. Errors have it as `data.requestId`, too.",
    required: true,
    schema: { type: "string" },
    example: "b5f0a6c1d2e3-4k",
  },
  "RateLimit-Limit": {
    description:
      "Requests per minute: of the key or session, or at checkouts of the address. Where servers report events, events per minute: of the workspace, in the process that answers.",
    schema: { type: "integer", minimum: 1 },
    example: 120,
  },
  "RateLimit-Remaining": {
    description: "Requests, or events, left in the window.",
    schema: { type: "integer", minimum: 0 },
    example: 119,
  },
  "RateLimit-Reset": {
    description: "Seconds until the window ends.",
    schema: { type: "integer", minimum: 0 },
    example: 42,
  },
  "Retry-After": {
    description: "Seconds to wait.",
    schema: { type: "integer", minimum: 1 },
    example: 7,
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750); with `error` where a key was sent that is not valid.",
    schema: { type: "string" },
    example: "Bearer",
  },
  "Idempotent-Replayed": {
    description: "`true` on an answer that was given before to the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  Link: {
    description: 'The next page of the list, with `rel="next"` (RFC 8288). Absent on the last page.',
    schema: { type: "string" },
    example: '<https://ads.example/v1/workspaces/ws_1/ads?after=WyJu>; rel="next"',
  },
  ETag: {
    description: "The state of the answer, for `If-Match` or `If-None-Match`.",
    schema: { type: "string" },
    example: '"kR3mVq8Zt5Wy1Xc7Bn9Ls4Gd6Fh"',
  },
  "Cache-Control": {
    description:
      "`no-store`, except for ads and tiers on sale, which every cache may show for the time that it names.",
    schema: { type: "string" },
    example: "no-store",
  },
  "Content-Disposition": {
    description: "The name of the file.",
    schema: { type: "string" },
    example: 'attachment; filename="invoices-2026-11-21.csv"',
  },
  "Accept-Encoding": {
    description: "The codings that are taken, if the body had another `Content-Encoding`.",
    schema: { type: "string", enum: ["identity", "gzip, identity"] },
    example: "identity",
  },
};

const OF_RATE = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
const WITH_ETAG = ["serving.ads", "serving.tiers"];
const OF_ERROR: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  415: ["Accept-Encoding"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** Serving counts nothing of browsers. */
function isCounted(name: string, kind: Endpoint["access"]["kind"]): boolean {
  return kind !== "public" || name.startsWith("checkout.");
}

/** The headers of an endpoint's 200. */
export function headersOf(endpoint: Endpoint): Record<string, OpenAPI.ReferenceObject> {
  const { name, access, idempotent, isList, isTagged } = endpoint;
  return referTo([
    "x-request-id",
    ...(TRACKING.includes(name) ? [] : ["Cache-Control"]),
    ...(isCounted(name, access.kind) ? OF_RATE : []),
    ...(idempotent ? ["Idempotent-Replayed"] : []),
    ...(isList ? ["Link"] : []),
    ...(isTagged || WITH_ETAG.includes(name) ? ["ETag"] : []),
    ...(/\.export/.test(name) ? ["Content-Disposition"] : []),
  ]);
}

/** The headers of the error with that status, wherever it occurs; `RateLimit-*` where the caller is known by then. */
export function headersOfError(status: number): Record<string, OpenAPI.ReferenceObject> {
  return referTo([
    "x-request-id",
    "Cache-Control",
    ...(status === 400 || status === 401 ? [] : OF_RATE),
    ...(OF_ERROR[status] ?? []),
  ]);
}

/** References to headers by name. */
export function referTo(names: readonly string[]): Record<string, OpenAPI.ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
