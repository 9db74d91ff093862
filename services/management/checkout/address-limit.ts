import { tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { before } from "../api.ts";
import type { Services } from "../services.ts";

/** For beginning a checkout, which asks the processor for a page. */
export const START_RATE: RateRule = { name: "checkout", points: 20, durationSeconds: 60 };
/** For all that is done with a session. */
export const SESSION_RATE: RateRule = { name: "submission", points: 60, durationSeconds: 60 };

/** Takes one from the caller's address before anything of the request is looked at; 429 over the limit. */
export function limitByAddress(rule: RateRule) {
  return before(({ services, address }) => takeFromAddress(services, rule, address));
}

/** Takes one from an address. Throws `HttpError` 429 over the limit. */
export async function takeFromAddress(
  { limits }: Pick<Services, "limits">,
  rule: RateRule,
  address: string,
): Promise<void> {
  const rate = await limits.consume(rule, address);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}
