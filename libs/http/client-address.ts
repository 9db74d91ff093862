import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";

/** Limits the cache, since direct callers are in it too. */
const MAX_CACHED = 1_000;

/**
 * Whether an address belongs to the trusted proxies: addresses or ranges (`10.0.0.0/8`). Results are cached, since it runs
 * for every request. Throws `RangeError` for a proxy that is neither.
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
    if (known.size >= MAX_CACHED) known.clear();
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

/**
 * The client's address, the same as Fastify's `request.ip`: the peer's, or behind a trusted proxy the last address in
 * `X-Forwarded-For` that is no trusted proxy, else the first. Empty when the peer has disconnected.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string {
  let address = request.socket.remoteAddress ?? "";
  const forwarded = request.headers["x-forwarded-for"];
  if (typeof forwarded !== "string") return address;
  for (let end = forwarded.length; end > 0 && isTrusted(address); ) {
    const comma = forwarded.lastIndexOf(",", end - 1);
    const named = forwarded.slice(comma + 1, end).trim();
    if (named !== "") address = named;
    end = comma;
  }
  return address;
}

const PRIVATE = new BlockList();
PRIVATE.addSubnet("127.0.0.0", 8, "ipv4");
PRIVATE.addSubnet("10.0.0.0", 8, "ipv4");
PRIVATE.addSubnet("172.16.0.0", 12, "ipv4");
PRIVATE.addSubnet("192.168.0.0", 16, "ipv4");
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");

/** Whether the address is loopback or private, also in IPv6-mapped form. */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Whether a request comes from the private network; one that an untrusted proxy forwarded counts as outside. */
export function isFromInside(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress;
  const { headers } = request;
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  if (peer === undefined || !isPrivateAddress(peer)) return false;
  return isForwarded ? request.ip !== peer && isPrivateAddress(request.ip) : true;
}
