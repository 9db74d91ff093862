import type { FastifyRequest } from "fastify";
import { readAddress } from "./address-words.ts";

/** Limits count callers by IPv4 address, or by /64 network: one IPv6 host has a whole /64 to choose from. */
export type AddressKey = `net ${string}`;

/** A /48 network may do as much as this number of its /64 networks: one site has a whole /48 to choose from. */
export const NETWORKS_OF_A_SITE = 10;

const NETWORK = "::/64";

/** The /48 network that limits count beside a /64 network; null for IPv4. */
export function siteOf(key: AddressKey): AddressKey | null {
  if (!key.endsWith(NETWORK)) return null;
  const front = key.slice("net ".length, key.lastIndexOf(":", key.length - NETWORK.length - 1));
  return `net ${front}::/48`;
}

/** The caller of a request, as limits count it. Fastify has no address of a caller who has disconnected. */
export function addressKeyOf({ ip }: { readonly ip?: FastifyRequest["ip"] | undefined }): AddressKey {
  return addressKey(ip ?? "");
}

/** The address that a server reports of a visitor, as it is and as limits count it; null if it reports none. */
export function reportedAddress({
  ip,
}: {
  readonly ip?: string | undefined;
}): { readonly address: string; readonly key: AddressKey } | null {
  return ip === undefined ? null : { address: ip, key: addressKey(ip) };
}

/** The key of an address in any spelling. IPv4 inside IPv6 (`::ffff:192.0.2.7`) counts as IPv4; other text is kept. */
export function addressKey(address: string): AddressKey {
  // Most callers, and the tracking of every event: no parsing.
  if (!address.includes(":")) return `net ${address}`;
  const words = readAddress(address);
  if (words === null) return `net ${address}`;
  const [first = 0, second = 0] = words;
  return words.length === 1 ? `net ${toIPv4(first)}` : `net ${toGroups(first)}:${toGroups(second)}::/64`;
}

function toIPv4(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

function toGroups(word: number): string {
  return `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
}
