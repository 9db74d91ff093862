import { createORPCClient } from "@orpc/client";
import type { ContractRouterClient } from "@orpc/contract";
import type { JsonifiedClient } from "@orpc/openapi-client";
import { OpenAPILink } from "@orpc/openapi-client/fetch";
import { contract } from "#libs/contract/contract.ts";

/** What a single call may carry beside its input. */
export interface CallContext {
  /** Makes a call that creates safe to repeat: the same key with the same input is answered alike for a day. */
  readonly idempotencyKey?: string;
  /** The ad's `proof`, as served with `proof: 1`, for an impression or a click. */
  readonly proof?: string;
}

/** A function for every endpoint, in the contract's tree: `client.ads.approve({ workspaceId, adId })`. */
export type PlacardClient = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>;

export interface PlacardClientOptions {
  /** Where the interface begins, with its version: `https://ads.example.com/v1`. */
  readonly baseUrl: string | URL;
  /** A secret API key for the management surface; the public surface needs none. Never give one to a browser. */
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Stands in for the runtime's own, for instance to repeat what failed or to read headers. */
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
}

/**
 * A client of the whole interface. An error answer is an `ORPCError` with `code`, `status` and `data`; `isDefinedError`
 * narrows it to the endpoint's declared codes, without 413 and 5xx. A failed connection throws the error of `fetch`.
 */
export function createPlacardClient(options: PlacardClientOptions): PlacardClient {
  const { baseUrl, apiKey, headers, fetch } = options;
  const link = new OpenAPILink<CallContext>(contract, {
    url: ({ context: { proof } }) => (proof === undefined ? baseUrl : withProof(baseUrl, proof)),
    headers: ({ context: { idempotencyKey } }) => ({
      ...headers,
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    }),
    ...(fetch === undefined ? {} : { fetch: (request, init) => fetch(request, init) }),
  });
  return createORPCClient(link);
}

/** The query of an address is sent with every call to it. */
function withProof(baseUrl: string | URL, proof: string): URL {
  const url = new URL(baseUrl);
  url.searchParams.set("proof", proof);
  return url;
}
