import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { createPlacardClient } from "#libs/client/index.ts";

/** The whole API, called with the session cookie. Errors are `ORPCError`s; a lost connection is a `TypeError`. */
export const api = createPlacardClient({ baseUrl: `${location.origin}/v1` });

/** The same for TanStack Query: `query.ads.list.queryOptions({ input })`, `query.ads.approve.mutationOptions()`. */
export const query = createTanstackQueryUtils(api);
