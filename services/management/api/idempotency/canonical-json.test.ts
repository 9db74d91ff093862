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
