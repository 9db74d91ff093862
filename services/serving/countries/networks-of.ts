import type { Reader, Response } from "maxmind";

/** The first addresses of a file's networks, in order, `most` at most; those that it knows nothing of included. */
export function* networksOf(reader: Reader<Response>, most: number): Generator<string> {
  const [bits, spell] = reader.metadata.ipVersion === 4 ? [32n, toIPv4] : [128n, toIPv6];
  let first = 0n;
  for (let left = most; left > 0 && first < 1n << bits; left -= 1) {
    const address = spell(first);
    yield address;
    const [, prefix] = reader.getWithPrefixLength(address);
    first += 1n << (bits - BigInt(prefix));
  }
}

function toIPv4(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join(".");
}

function toIPv6(address: bigint): string {
  return address
    .toString(16)
    .padStart(32, "0")
    .replace(/(.{4})(?!$)/g, "$1:");
}
