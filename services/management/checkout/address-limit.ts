import { tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { api } from "../api.ts";

/** Takes one from the caller's address before anything of the request is looked at; 429 over the limit. */
export function limitByAddress(rule: RateRule) {
  return api.middleware(async ({ context: { services, address }, next }) => {
    const rate = await services.limits.consume(rule, address);
    if (!rate.allowed) throw tooManyRequests(rate.resetMs);
    return await next();
  });
}
