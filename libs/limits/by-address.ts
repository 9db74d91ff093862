import { type AddressKey, NETWORKS_OF_A_SITE, siteOf } from "#libs/http/index.ts";
import type { Limits, RateRule, RateVerdict } from "./port.ts";

/**
 * Takes `cost` from the budget of a caller's address, and of IPv6 also from that of its site (/48), which has ten times the points. The
 * verdict is the one that refuses, otherwise that of the address.
 */
export async function consumeByAddress(
  limits: Pick<Limits, "consume">,
  rule: RateRule,
  address: AddressKey,
  cost = 1,
): Promise<RateVerdict> {
  const own = await limits.consume(rule, address, cost);
  const site = siteOf(address);
  if (!own.allowed || site === null) return own;
  const { name, points, durationSeconds } = rule;
  const ofSite = { name: `${name}-site`, points: points * NETWORKS_OF_A_SITE, durationSeconds };
  const shared = await limits.consume(ofSite, site, cost);
  return shared.allowed ? own : shared;
}
