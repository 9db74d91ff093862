import ipaddr from "ipaddr.js";

/** The only range that has been given out for addresses of the public internet (RFC 4291, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Looks public and is not: what Azure's machines ask for their settings. Everybody else's is in a special range. */
const METADATA = "168.63.129.16";

/**
 * Whether an address, in the form that the system gives, belongs to the public internet. Private, loopback, link-local,
 * multicast, reserved and shared addresses do not, and neither do those that carry an IPv4 address within an IPv6 one
 * (mapped, NAT64, 6to4, Teredo): who translates them decides where they lead.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return ipaddr.IPv4.parse(address).range() === "unicast" && address !== METADATA;
  }
  if (!ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.zoneId === undefined && parsed.range() === "unicast" && parsed.match(GLOBAL_UNICAST);
}
