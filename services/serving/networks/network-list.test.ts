import { expect, it } from "vitest";
import { MAX_NETWORKS, readNetworks } from "./network-list.ts";

it("reads networks and single addresses of both families, and passes over comments and blank lines", async () => {
  const text = [
    "\uFEFF# data centers",
    "192.0.2.0/24",
    "",
    "   203.0.113.7   # one machine",
    "198.51.100.77/25 ; with bits behind the prefix, as some lists have them\r",
    "2001:db8::/32",
    "2001:db8::1",
    "::ffff:192.0.2.0/120",
  ].join("\n");

  expect(await readNetworks(text)).toEqual([
    { words: [0xc0000200], prefix: 24 },
    { words: [0xcb007107], prefix: 32 },
    { words: [0xc633644d], prefix: 25 },
    { words: [0x20010db8, 0, 0, 0], prefix: 32 },
    { words: [0x20010db8, 0, 0, 1], prefix: 128 },
    { words: [0xc0000200], prefix: 24 },
  ]);
  expect(await readNetworks("")).toEqual([]);
});

it.each([
  ["example.com", 'line 3 is no network: "example.com"'],
  ["192.0.2.0/", 'line 3 is no network: "192.0.2.0/"'],
  ["192.0.2.0/24/8", 'line 3 is no network: "192.0.2.0/24/8"'],
  ["192.0.2/24", 'line 3 is no network: "192.0.2/24"'],
  ["192.0.2.0-192.0.2.9", 'line 3 is no network: "192.0.2.0-192.0.2.9"'],
  ["fe80::1%eth0", 'line 3 is no network: "fe80::1%eth0"'],
  ["192.0.2.0 /24", 'line 3 is no network: "192.0.2.0 /24"'],
  ["192.0.2.0/33", 'line 3 has a prefix that no network has: "192.0.2.0/33"'],
  ["2001:db8::/129", 'line 3 has a prefix that no network has: "2001:db8::/129"'],
  ["::ffff:192.0.2.0/64", 'line 3 has a prefix that no network has: "::ffff:192.0.2.0/64"'],
  ["0.0.0.0/0", 'line 3 would block every address: "0.0.0.0/0"'],
  ["::/0", 'line 3 would block every address: "::/0"'],
  ["x".repeat(500), `line 3 is no network: "${"x".repeat(60)}"`],
])("names the line and the mistake in it: %s", async (line, message) => {
  await expect(readNetworks(`# a comment\n192.0.2.0/24\n${line}\n`)).rejects.toThrow(message);
});

it("takes as many networks as it promises, and no more", async () => {
  const list = (length: number) =>
    Array.from({ length }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`).join("\n");

  expect(await readNetworks(list(MAX_NETWORKS))).toHaveLength(MAX_NETWORKS);
  await expect(readNetworks(list(MAX_NETWORKS + 1))).rejects.toThrow("it has more than 100000 networks");
});
