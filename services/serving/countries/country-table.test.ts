import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { readCountries } from "./country-table.ts";
import { EXAMPLE, exampleWith, mmdbOf } from "./tests/mmdb.ts";

const example = readCountries(EXAMPLE);

it.each([
  ["81.2.69.160", "GB"],
  ["81.2.69.191", "GB"],
  ["81.2.69.192", "GB"],
  ["216.160.83.57", "US"],
  ["2001:218::", "JP"],
  ["2001:0218:ffff::1%eth0", "JP"],
  ["2A02:D280::1", "CZ"],
  // IPv4 inside IPv6.
  ["::ffff:81.2.69.160", "GB"],
  ["::FFFF:5102:45A0", "GB"],
])("knows that %s is in %s", (address, country) => {
  expect(example.of(address)).toBe(country);
});

it.each([
  ["an address that no network has", "192.0.2.7"],
  ["one of IPv6", "2001:db8::1"],
  ["an address before a network", "81.2.69.141"],
  ["a record without a country", "2a02:d500::1"],
  ["one that has only the country of its owner", "214.1.1.1"],
  ["an address and a port", "81.2.69.160:443"],
  ["a part of an address", "81.2.69"],
  ["an address and more", "81.2.69.160abc"],
  ["a word", "unknown"],
  ["nothing", ""],
])("does not know the country of %s", (_what, address) => {
  expect(example.of(address)).toBe("");
});

it.each([
  ["MaxMind and DB-IP", { country: { iso_code: "DE", name: "Germany" }, continent: { code: "EU" } }],
  ["IPinfo Lite", { country: "Germany", country_code: "DE", continent_code: "EU", asn: "AS3320" }],
  ["IPinfo's earlier files", { country: "DE", country_name: "Germany", continent: "EU" }],
])("reads the records of %s", (_whose, record) => {
  const countries = readCountries(mmdbOf({ "192.0.2.0/24": record }));

  expect([countries.of("192.0.2.7"), countries.of("192.0.3.7")]).toEqual(["DE", ""]);
});

it.each([
  ["registered_country", { registered_country: { iso_code: "US" } }],
  ["represented_country", { represented_country: { iso_code: "US" } }],
  ["a country that is none", { country: { iso_code: "XX" } }],
  ["a code of three letters", { country: { iso_code: "DEU" } }],
  ["a number", { country: 276 }],
  ["a text", "DE"],
])("does not take %s for the visitor's country", (_what, record) => {
  const countries = readCountries(
    mmdbOf({ "192.0.2.0/24": record, "203.0.113.0/24": { country: { iso_code: "FR" } } }),
  );

  expect([countries.of("192.0.2.7"), countries.of("203.0.113.7")]).toEqual(["", "FR"]);
});

it("looks no address of IPv6 up in a file of IPv4", () => {
  const countries = readCountries(
    mmdbOf({ "32.1.0.0/16": { country: { iso_code: "DE" } } }, { ipVersion: 4 }),
  );

  // 2001:: begins with the bits of 32.1.
  expect(["32.1.2.3", "::ffff:32.1.2.3", "2001::1"].map((address) => countries.of(address))).toEqual([
    "DE",
    "DE",
    "",
  ]);
});

it("says nothing of a network whose record is damaged, and goes on with the others", () => {
  const records = { "192.0.2.0/24": { country: { iso_code: "DE" } }, "203.0.113.0/24": { country: "FR" } };
  const file = mmdbOf(records);
  // The text becomes a value of a type that does not exist.
  file.fill(0, file.indexOf("FR") - 1, file.indexOf("FR"));

  const countries = readCountries(file);

  expect([countries.of("192.0.2.7"), countries.of("203.0.113.7")]).toEqual(["DE", ""]);
});

it("keeps its answers apart from those of another file", () => {
  const other = readCountries(exampleWith("IE"));

  expect([example, other].map((countries) => countries.of("81.2.69.160"))).toEqual(["GB", "IE"]);
});

it.each<[string, () => Buffer, string | RegExp]>([
  ["an empty file", () => Buffer.alloc(0), "it is no MaxMind DB file (.mmdb), or it is cut off"],
  ["text", () => Buffer.from("192.0.2.0/24,DE\n"), "it is no MaxMind DB file (.mmdb), or it is cut off"],
  ["half a file", () => EXAMPLE.subarray(0, -2_000), "it is no MaxMind DB file (.mmdb), or it is cut off"],
  ["a compressed file", () => gzipSync(EXAMPLE), "it is compressed: unpack it first"],
  ["a file without its beginning", () => EXAMPLE.subarray(2_000), /^it is damaged$/],
  ["a file without its records", () => EXAMPLE.subarray(-600), /^it is damaged$/],
  [
    "a file whose metadata is nonsense",
    () => Buffer.from("\xab\xcd\xefMaxMind.com\xe1", "latin1"),
    "it is damaged (Unknown type",
  ],
  [
    "a file whose first record is nonsense",
    () => {
      const file = mmdbOf({ "192.0.2.0/24": "DE" });
      return file.fill(0, file.indexOf("DE") - 1, file.indexOf("DE"));
    },
    "it is damaged (Unknown type",
  ],
  [
    "a file of a later format",
    () => {
      const file = mmdbOf({ "192.0.2.0/24": { country: "DE" } });
      const name = "binary_format_major_version";
      file.writeUInt32BE(3, file.indexOf(name) + name.length + 1);
      return file;
    },
    "its format has version 3, not 2",
  ],
  [
    "a file of networks' owners",
    () => mmdbOf({ "192.0.2.0/24": { autonomous_system_number: 64_496 } }, { type: "GeoLite2-ASN" }),
    'it has no countries: its type is "GeoLite2-ASN"',
  ],
])("refuses %s", (_what, make, reason) => {
  expect(() => readCountries(make())).toThrow(reason);
});
