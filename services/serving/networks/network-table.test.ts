import { BlockList, isIPv6 } from "node:net";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readNetworks } from "./network-list.ts";
import { createNetworkTable } from "./network-table.ts";

const tableOf = async (...lines: string[]) => await createNetworkTable(await readNetworks(lines.join("\n")));

it("knows addresses in any spelling, and each family by itself", async () => {
  const table = await tableOf("192.0.2.0/24", "2001:db8:0:1::/64", "203.0.113.7", "::/1");

  for (const inside of ["192.0.2.0", "192.0.2.255", "::ffff:192.0.2.7", "::ffff:c000:207", "203.0.113.7"])
    expect(table.has(inside), inside).toBe(true);
  for (const inside of ["2001:db8:0:1::", "2001:DB8:0:1:ffff:ffff:ffff:ffff", "7fff::", "::1"])
    expect(table.has(inside), inside).toBe(true);
  for (const outside of ["192.0.1.255", "192.0.3.0", "203.0.113.8", "8000::", "::ffff:192.0.3.0", "10.0.0.1"])
    expect(table.has(outside), outside).toBe(false);
});

it("blocks a network that is smaller than a /64, and not its neighbors there", async () => {
  const table = await tableOf("2001:db8::1:0/112", "2001:db8::5");

  expect([table.has("2001:db8::1:0"), table.has("2001:db8::1:ffff"), table.has("2001:db8::5")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([table.has("2001:db8::"), table.has("2001:db8::2:0"), table.has("2001:db8::4")]).toEqual([
    false,
    false,
    false,
  ]);
});

it("blocks nothing that is no address, and nobody by an empty list", async () => {
  const table = await tableOf("192.0.2.0/24");
  const empty = await tableOf();

  for (const text of ["", "unknown", "192.0.2", "192.0.2.7:80", "[2001:db8::1]"])
    expect(table.has(text), text).toBe(false);
  expect([empty.has("192.0.2.7"), empty.has("::1")]).toEqual([false, false]);
});

/** Few different bits, so that networks contain and touch each other and addresses hit them. */
const octet = fc.constantFrom(0, 1, 127, 128, 254, 255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((all) => all.join("."));
const group = fc.constantFrom("0", "1", "7fff", "8000", "fffe", "ffff");
const ipv6 = fc
  .array(group, { minLength: 8, maxLength: 8 })
  .map((all) => all.join(":"))
  .filter((address) => !address.startsWith("0:0:0:0:0:ffff:"));
const networks = fc.array(
  fc.oneof(fc.tuple(ipv4, fc.integer({ min: 1, max: 32 })), fc.tuple(ipv6, fc.integer({ min: 1, max: 128 }))),
  { maxLength: 30 },
);

it("blocks exactly what Node's list of networks blocks", async () => {
  await fc.assert(
    fc.asyncProperty(
      networks,
      fc.array(fc.oneof(ipv4, ipv6), { minLength: 1, maxLength: 30 }),
      async (blocked, asked) => {
        // One per family: Node also takes an address of IPv4 for one of IPv6.
        const ofNode = { ipv4: new BlockList(), ipv6: new BlockList() };
        for (const [address, prefix] of blocked) {
          const family = isIPv6(address) ? "ipv6" : "ipv4";
          ofNode[family].addSubnet(address, prefix, family);
        }
        const table = await tableOf(...blocked.map((network) => network.join("/")));

        for (const address of [...asked, ...blocked.map(([first]) => first)]) {
          const family = isIPv6(address) ? "ipv6" : "ipv4";
          expect(table.has(address), address).toBe(ofNode[family].check(address, family));
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** Networks of both families, in no order. The last of three in a row is inside the one before it. */
function manyNetworks(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const isInside = n % 3 === 2;
    const scattered = Math.imul(isInside ? n - 1 : n, 0x9e3779b1) >>> 0;
    const [a, b] = [scattered >>> 16, scattered & 0xffff];
    const prefix = isInside ? 120 : 112;
    if (Math.floor(n / 3) % 2 === 0) return `2001:db8::${a.toString(16)}:${b.toString(16)}/${prefix}`;
    return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}/${prefix - 96}`;
  });
}

it("blocks what Node's list blocks also where it has more networks than it adds in one go", async () => {
  const lines = manyNetworks(9_001);
  const table = await tableOf(...lines);
  const ofNode = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const line of lines) {
    const [address = "", prefix] = line.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    ofNode[family].addSubnet(address, Number(prefix), family);
  }
  const neighbors = lines.flatMap((line, n) => {
    const [address = ""] = line.split("/");
    if (n % 20 !== 0) return [];
    return isIPv6(address)
      ? [address, `2001:db8:1::${n.toString(16)}`, `2001:db8::${n.toString(16)}:1`]
      : [address, `${n % 256}.7.7.7`];
  });

  const blocks = (address: string) => {
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    return ofNode[family].check(address, family);
  };
  expect(neighbors.map((address) => [address, table.has(address)])).toEqual(
    neighbors.map((address) => [address, blocks(address)]),
  );
});

it("lets others have their turn after every 2,000 networks", async () => {
  const networks = await readNetworks(manyNetworks(50_000).join("\n"));
  let turns = 0;
  const count = () => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);

  await createNetworkTable(networks);
  clearImmediate(turn);

  expect(turns).toBeGreaterThanOrEqual(50_000 / 2_000);
});
