import { isIP } from "node:net";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readAddress } from "./address-words.ts";

it.each([
  ["0.0.0.0", [0]],
  ["255.255.255.255", [0xffffffff]],
  ["192.0.2.7", [0xc0000207]],
  ["::ffff:192.0.2.7", [0xc0000207]],
  ["::FFFF:c000:207", [0xc0000207]],
  ["0:0:0:0:0:ffff:192.0.2.7", [0xc0000207]],
  ["::", [0, 0, 0, 0]],
  ["::1", [0, 0, 0, 1]],
  ["2001:db8::", [0x20010db8, 0, 0, 0]],
  ["2001:DB8:1:2:3:4:5:6", [0x20010db8, 0x00010002, 0x00030004, 0x00050006]],
  ["1:2:3:4:5:6:7::", [0x00010002, 0x00030004, 0x00050006, 0x00070000]],
  ["64:ff9b::192.0.2.7", [0x0064ff9b, 0, 0, 0xc0000207]],
  ["fe80::1%eth0", [0xfe800000, 0, 0, 1]],
])("reads %s", (text, words) => {
  expect(readAddress(text)).toEqual(words);
});

const hextet = fc.stringMatching(/^[0-9a-fA-F]{0,5}$/);
const octets = fc
  .array(fc.stringMatching(/^\d{0,4}$/), { minLength: 2, maxLength: 5 })
  .map((all) => all.join("."));
const anything = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  octets,
  fc.array(fc.oneof(hextet, octets), { minLength: 1, maxLength: 10 }).map((groups) => groups.join(":")),
  fc.stringMatching(/^[0-9a-f.:]{0,40}$/),
);

it("takes for an address exactly what Node does", () => {
  fc.assert(
    fc.property(anything, (text) => {
      // Leading zeros mean octal to some; a visitor's address never has any.
      fc.pre(!/(^|[.:])0\d+\.|\.0\d+$/.test(text));
      expect(readAddress(text) === null).toBe(isIP(text) === 0);
    }),
    { numRuns: 2_000 },
  );
});
