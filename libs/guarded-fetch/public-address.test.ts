import fc from "fast-check";
import { expect, it } from "vitest";
import { publicInternet } from "./network.ts";
import { isPublicAddress } from "./public-address.ts";
import { NOT_PUBLIC } from "./tests/not-public.ts";

it.each(NOT_PUBLIC)("does not connect to %s, which is %s", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  "",
  "nonsense",
  "127.0.0.1 ",
  "010.0.0.1",
  "0177.0.0.1",
  "0x7f.0.0.1",
  "2130706433",
  "127.1",
  "1.2.3.4/0",
])("takes %j for no address at all", (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

it.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:82a::200e",
])("connects to %s, which is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it("never takes an IPv4 address within an IPv6 one for public, whatever it is", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const dotted = bytes.join(".");
      const [high = "", low = ""] = [bytes.slice(0, 2), bytes.slice(2)].map((pair) =>
        Buffer.from(pair).toString("hex"),
      );
      for (const address of [
        `::ffff:${dotted}`,
        `::ffff:0:${dotted}`,
        `::${dotted}`,
        `64:ff9b::${dotted}`,
        `64:ff9b:1::${dotted}`,
        `2002:${high}:${low}::1`,
        `2001::${high}:${low}`,
      ]) {
        expect(isPublicAddress(address), address).toBe(false);
      }
    }),
  );
});

it("connects to the two ports of the web and to no other", () => {
  const open = [0, 21, 22, 25, 79, 80, 81, 443, 444, 5432, 6379, 8080, 8443, 65_535].filter((port) =>
    publicInternet.allows("1.1.1.1", port),
  );

  expect(open).toEqual([80, 443]);
  expect(publicInternet.allows("10.0.0.1", 443)).toBe(false);
});

it.each([
  "localhost",
  "localhost.",
  "redis",
  "printer.local",
  "metadata.google.internal",
  "router.home.arpa",
  "coffee.example",
  "coffee.test",
  "coffee.invalid",
  "hidden.onion",
  "db.corp",
])("does not even ask for %s, which is no name of the public internet", async (host) => {
  await expect(publicInternet.resolve(host, new AbortController().signal)).rejects.toMatchObject({
    name: "FetchError",
    canRetry: false,
  });
});
