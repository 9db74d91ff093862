import type { Endpoint } from "#libs/contract/endpoints.ts";
import { type AddressKey, tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { Services } from "../services.ts";

/** For beginning a checkout, which asks the processor for a page. */
export const START_RATE: RateRule = { name: "checkout", points: 20, durationSeconds: 60 };
/** For all that is done with a session. */
export const SESSION_RATE: RateRule = { name: "submission", points: 60, durationSeconds: 60 };

/** What a request takes from its address before anything else of it is looked at; null where its caller is known. */
export function addressRateOf({ access, name }: Pick<Endpoint, "access" | "name">): RateRule | null {
  if (access.kind !== "public") return null;
  return name === "checkout.create" ? START_RATE : SESSION_RATE;
}

/** Takes one from an address. Throws `HttpError` 429 over the limit. */
export async function takeFromAddress(
  { limits }: Pick<Services, "limits">,
  rule: RateRule,
  address: AddressKey,
): Promise<void> {
  const rate = await limits.consume(rule, address);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}
