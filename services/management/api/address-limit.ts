import type { Endpoint } from "#libs/contract/endpoints.ts";
import { type AddressKey, tooManyRequests } from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";

/** For starting a checkout, which asks the processor for a page. */
export const START_RATE: RateRule = { name: "checkout", points: 20, durationSeconds: 60 };
/** For everything else with a session. */
export const SESSION_RATE: RateRule = { name: "submission", points: 60, durationSeconds: 60 };

/** The limit per address that is checked first; null for endpoints whose caller is known. */
export function addressRateOf({ access, name }: Pick<Endpoint, "access" | "name">): RateRule | null {
  if (access.kind !== "public") return null;
  return name === "checkout.create" ? START_RATE : SESSION_RATE;
}

/** Counts a request of an address. Throws `HttpError` 429 over the limit. */
export async function takeFromAddress(
  limits: Pick<Limits, "consume">,
  rule: RateRule,
  address: AddressKey,
): Promise<void> {
  const rate = await limits.consume(rule, address);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}
