import { readFileSync } from "node:fs";
import { type AddressWords, readAddress } from "#libs/http/index.ts";

/** MaxMind's own example, with its licence beside it: 81.2.69.160/27 is in GB, 2001:218::/32 in JP. */
export const EXAMPLE = readFileSync(new URL("GeoIP2-Country-Test.mmdb", import.meta.url));

/** The example with another country in the place of GB. */
export function exampleWith(country: string): Buffer {
  const ofTwo = (text: string) => `\x42${text}`;
  return Buffer.from(EXAMPLE.toString("latin1").replaceAll(ofTwo("GB"), ofTwo(country)), "latin1");
}

type Value = string | number | { readonly [key: string]: Value };
/** A node of the tree has two of these: another node, a record by its number, or nothing. */
type Branch = { readonly node: number } | { readonly record: number } | null;

/** Writes a file in MaxMind's format (https://maxmind.github.io/MaxMind-DB/) with a record for each network. */
export function mmdbOf(
  records: Readonly<Record<string, Value>>,
  { ipVersion = 6, type = "Test" }: { readonly ipVersion?: 4 | 6; readonly type?: string } = {},
): Buffer {
  const nodes: [Branch, Branch][] = [[null, null]];
  for (const [record, network] of Object.keys(records).entries()) {
    const bits = bitsOf(network, ipVersion);
    let at = 0;
    for (const [index, bit] of bits.entries()) {
      const branches = nodes[at];
      if (branches === undefined) throw new Error("There is no such node.");
      const next = branches[bit];
      const isLast = index === bits.length - 1;
      if (isLast) branches[bit] = { record };
      else if (next !== null && "node" in next) at = next.node;
      else {
        at = nodes.push([null, null]) - 1;
        branches[bit] = { node: at };
      }
    }
  }
  const encoded = Object.values(records).map(encode);
  const begins = encoded.map((_, record) => Buffer.concat(encoded.slice(0, record)).length);
  const tree = nodes.flat().map((branch) => {
    if (branch === null) return nodes.length;
    return "node" in branch ? branch.node : nodes.length + 16 + (begins[branch.record] ?? 0);
  });
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: ipVersion,
    database_type: type,
    binary_format_major_version: 2,
    build_epoch: 1_700_000_000,
  });
  const start = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
  return Buffer.concat([...tree.map((to) => uint(to, 3)), Buffer.alloc(16), ...encoded, start, metadata]);
}

function bitsOf(network: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address = "", prefix = ""] = network.split("/");
  const words = readAddress(address) ?? [];
  const isInside = words.length === 1 && ipVersion === 6;
  const all: AddressWords = isInside ? [0, 0, 0, ...words] : words;
  const bit = (index: number) => (((all[index >> 5] ?? 0) >>> (31 - (index & 31))) & 1 ? 1 : 0);
  return Array.from({ length: Number(prefix) + (isInside ? 96 : 0) }, (_, index) => bit(index));
}

/** Texts of at most 28 bytes, maps of at most 28 entries. */
function encode(value: Value): Buffer {
  if (typeof value === "number") return Buffer.concat([Buffer.of((6 << 5) | 4), uint(value, 4)]);
  if (typeof value === "string")
    return Buffer.concat([Buffer.of((2 << 5) | value.length), Buffer.from(value)]);
  const entries = Object.entries(value);
  return Buffer.concat([Buffer.of((7 << 5) | entries.length), ...entries.flat().map(encode)]);
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
