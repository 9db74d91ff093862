import { BlockList, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";

const PRIVATE = new BlockList();
PRIVATE.addSubnet("127.0.0.0", 8, "ipv4");
PRIVATE.addSubnet("10.0.0.0", 8, "ipv4");
PRIVATE.addSubnet("172.16.0.0", 12, "ipv4");
PRIVATE.addSubnet("192.168.0.0", 16, "ipv4");
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");

/** Whether the address is a loopback or private one (also when written as IPv6-mapped). */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/**
 * Whether a request comes from our own network. One that a proxy passed on comes from wherever the proxy says; where
 * the proxy is not trusted nobody can tell, and that counts as outside.
 */
export function isFromInside(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress;
  const { headers } = request;
  const passedOn = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  if (peer === undefined || !isPrivateAddress(peer)) return false;
  return passedOn ? request.ip !== peer && isPrivateAddress(request.ip) : true;
}
