import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "#libs/contract/endpoints.ts";
import { type AddressKey, addressKeyOf, sendRate, tooManyRequests } from "#libs/http/index.ts";
import { consumeByAddress, type Limits, type RateRule } from "#libs/limits/index.ts";

/** Requests per minute of one address at the endpoints of checkouts; the product's own pages count as well. */
export interface CheckoutLimits {
  readonly checkoutsPerMinute: number;
  readonly checkoutReadsPerMinute: number;
  readonly submissionsPerMinute: number;
}

/** One budget per kind of request, so that a page that polls its session cannot keep its advertiser from submitting. */
export interface CheckoutRates {
  /** For starting a checkout, which asks the processor for a page. */
  readonly start: RateRule;
  readonly read: RateRule;
  /** For submissions and grants of uploads. */
  readonly submit: RateRule;
}

export function checkoutRates(limits: CheckoutLimits): CheckoutRates {
  return {
    start: perMinute("checkout", limits.checkoutsPerMinute),
    read: perMinute("checkout-read", limits.checkoutReadsPerMinute),
    submit: perMinute("submission", limits.submissionsPerMinute),
  };
}

function perMinute(name: string, points: number): RateRule {
  return { name, points, durationSeconds: 60 };
}

/** The limit per address that is checked first; null for endpoints whose caller is known. */
export function addressRateOf(
  { access, name, method }: Pick<Endpoint, "access" | "name" | "method">,
  rates: CheckoutRates,
): RateRule | null {
  if (access.kind !== "public") return null;
  if (name === "checkout.create") return rates.start;
  return method === "GET" ? rates.read : rates.submit;
}

/** Counts a request of an address, and writes what remains on the answer. Throws `HttpError` 429 over the limit. */
export async function takeFromAddress(
  limits: Pick<Limits, "consume">,
  rule: RateRule,
  address: AddressKey,
  reply?: FastifyReply,
): Promise<void> {
  const rate = await consumeByAddress(limits, rule, address);
  if (reply !== undefined) sendRate(reply, rate);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}

/** Counts requests of an address before their body is read, as `onRequest` of a route. Throws `HttpError` 429 over the limit. */
export function limitAddress({ limits }: { readonly limits: Pick<Limits, "consume"> }, rule: RateRule) {
  return async (request: Pick<FastifyRequest, "ip">): Promise<void> => {
    await takeFromAddress(limits, rule, addressKeyOf(request));
  };
}
