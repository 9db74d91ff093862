import type { OpenAPI } from "@orpc/contract";
import type { Endpoint } from "#libs/contract/endpoints.ts";

/** Every header of an answer that an integrator may rely on, for `components.headers`. */
export const HEADERS: Readonly<Record<string, OpenAPI.HeaderObject>> = {
  "x-request-id": {
    description: "The request's id, as in the log. Errors have it as `data.requestId`, too.",
    schema: { type: "string" },
    example: "b5f0a6c1d2e3-4k",
  },
  "RateLimit-Limit": {
    description: "Requests per window; of the key or session.",
    schema: { type: "integer", minimum: 1 },
    example: 120,
  },
  "RateLimit-Remaining": {
    description: "Requests left in the window.",
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
    description: "How to authenticate (RFC 6750).",
    schema: { type: "string" },
    example: "Bearer",
  },
  "Idempotent-Replayed": {
    description: "`true` on an answer that was given before to the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  ETag: {
    description: "The version of the answer, for `If-Match` or `If-None-Match`.",
    schema: { type: "string" },
    example: '"1"',
  },
};

type HeaderName =
  | "x-request-id"
  | "RateLimit-Limit"
  | "RateLimit-Remaining"
  | "RateLimit-Reset"
  | "Retry-After";
const OF_RATE: readonly HeaderName[] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
const WITH_ETAG = ["ads.get", "revisions.get", "serving.ads", "serving.tiers"];

/** The headers of an endpoint's 200. */
export function headersOf({ name, access, idempotent }: Endpoint): Record<string, OpenAPI.ReferenceObject> {
  return referTo([
    "x-request-id",
    ...(access.kind === "public" ? [] : OF_RATE),
    ...(idempotent ? ["Idempotent-Replayed"] : []),
    ...(WITH_ETAG.includes(name) ? ["ETag"] : []),
  ]);
}

/** The headers of the error with that status, wherever it occurs. */
export function headersOfError(status: number): Record<string, OpenAPI.ReferenceObject> {
  return referTo([
    "x-request-id",
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
  ]);
}

function referTo(names: readonly string[]): Record<string, OpenAPI.ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
