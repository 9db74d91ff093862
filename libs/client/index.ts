// The client

// What its errors are, and how to tell them apart
export { isDefinedError, ORPCError, safe } from "@orpc/client";
export {
  type CallContext,
  createPlacardClient,
  type PlacardClient,
  type PlacardClientOptions,
} from "./client.ts";
