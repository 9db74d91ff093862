import type { FastifyRequest } from "fastify";

/** Limits count callers by IPv4 address, or by /64 network: one IPv6 host has a whole /64 to choose from. */
export type AddressKey = `net ${string}`;

/** The caller of a request, as limits count it. */
export function addressKeyOf(request: Pick<FastifyRequest, "ip">): AddressKey {
  return addressKey(request.ip);
}

/** The key of an address in any spelling. IPv4 inside IPv6 (`::ffff:192.0.2.7`) counts as IPv4; other text is kept. */
export function addressKey(address: string): AddressKey {
  // Most callers, and the tracking of every event: no parsing.
  if (!address.includes(":")) return `net ${address}`;
  const groups = groupsOf(address);
  if (groups === null) return `net ${address}`;
  if (isMapped(groups)) return `net ${toIPv4(groups)}`;
  return `net ${groups.slice(0, 4).map(toHex).join(":")}::/64`;
}

/** The eight numbers of an IPv6 address; null for other text. */
function groupsOf(address: string): number[] | null {
  const zone = address.indexOf("%");
  const [before = "", after, more] = (zone === -1 ? address : address.slice(0, zone)).split("::");
  const front = readGroups(before);
  const back = readGroups(after ?? "");
  if (front === null || back === null || more !== undefined) return null;
  const missing = 8 - front.length - back.length;
  if (after === undefined ? missing !== 0 : missing < 1) return null;
  return [...front, ...Array<number>(missing).fill(0), ...back];
}

function readGroups(text: string): number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  for (const part of text.split(":")) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(part)) groups.push(...pairsOf(part));
    else return null;
  }
  return groups;
}

function pairsOf(ipv4: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  return [a * 256 + b, c * 256 + d];
}

function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

function toIPv4(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join(".");
}

function toHex(group: number): string {
  return group.toString(16);
}
