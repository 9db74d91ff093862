import { expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

it("writes equal values alike, whatever the order of their keys", () => {
  const one = canonicalJson(JSON.parse('{"a": [1, {"x": "é", "y": null}], "b": true}'));
  const other = canonicalJson(JSON.parse('{"b":true,"a":[1.0,{"y":null,"x":"\\u00e9"}]}'));

  expect(one).toBe(other);
});

it("tells apart what differs in a value, a type, an order of a list or a place", () => {
  const texts = [
    "{}",
    "[]",
    "null",
    '""',
    "0",
    '"0"',
    "[1,2]",
    "[2,1]",
    "[[1],2]",
    "[1,[2]]",
    '{"a":{"b":1}}',
  ];
  const others = [
    '{"a":{},"b":1}',
    '{"a,":1}',
    '["a",1]',
    '["a,1"]',
    "true",
    '"true"',
    '{"a":null}',
    '{"a":[]}',
  ];

  const written = [...texts, ...others].map((text) => canonicalJson(JSON.parse(text)));

  expect(new Set(written).size).toBe(written.length);
});

it("writes values of any depth and length", () => {
  const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
  const long = Array.from({ length: 500_000 }, (_, n) => n);

  expect(canonicalJson(deep)).toHaveLength(400_000);
  expect(canonicalJson(long).length).toBeGreaterThan(500_000);
});

it.each([
  ["lists in lists", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
  ["objects in objects", `${'{"a":'.repeat(170_000)}1${"}".repeat(170_000)}`],
  ["a long list", `[${"1,".repeat(500_000)}1]`],
  ["empty objects", `[${"{},".repeat(340_000)}1]`],
])("takes little more time than the parser for a body of %s", (_what, body) => {
  const timeOf = (work: () => unknown) => {
    const begun = process.cpuUsage();
    for (let n = 0; n < 3; n += 1) work();
    return process.cpuUsage(begun).user;
  };
  const value: unknown = JSON.parse(body);
  canonicalJson(value);

  // The parser is C++, and its time varies with the collection of garbage.
  expect(timeOf(() => canonicalJson(value))).toBeLessThan(6 * timeOf(() => JSON.parse(body)) + 100_000);
});
