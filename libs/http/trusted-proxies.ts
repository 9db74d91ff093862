import { BlockList, isIP } from "node:net";

/** Proxies are few; whoever connects directly is remembered too, so the memory is bounded. */
const MOST_REMEMBERED = 1_000;

/**
 * Tells whether an address is one of the trusted proxies, which are addresses (`10.0.0.7`) or ranges (`10.0.0.0/8`).
 * It is asked for the peer of every request, and reading an address costs as much as routing one, so answers are
 * remembered. Throws `RangeError` with a sentence for a text that is neither.
 */
export function trustedProxies(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) addTo(trusted, proxy);
  const known = new Map<string, boolean>();

  return (address) => {
    const remembered = known.get(address);
    if (remembered !== undefined) return remembered;
    const family = isIP(address);
    const isTrusted = family !== 0 && trusted.check(address, family === 6 ? "ipv6" : "ipv4");
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(address, isTrusted);
    return isTrusted;
  };
}

function addTo(trusted: BlockList, proxy: string): void {
  const [address = "", bits, ...more] = proxy.split("/");
  const family = isIP(address);
  const longest = family === 6 ? 128 : 32;
  const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
  if (family === 0 || more.length > 0 || (bits !== undefined && !isRange)) {
    throw new RangeError(`TRUST_PROXY: "${proxy}" is no address and no range of addresses.`);
  }
  const type = family === 6 ? "ipv6" : "ipv4";
  if (bits === undefined) trusted.addAddress(address, type);
  else trusted.addSubnet(address, Number(bits), type);
}
