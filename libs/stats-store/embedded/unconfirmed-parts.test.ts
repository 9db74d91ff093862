import { expect, it } from "vitest";
import { type Part, readPart } from "./deduplication-log.ts";
import { findUnconfirmed } from "./unconfirmed-parts.ts";

function parts(...names: string[]): Part[] {
  return names.flatMap((name) => readPart(name) ?? []);
}

const named = (found: readonly Part[]) => found.map(({ name }) => name);

it("finds nothing where every part has its token, or is one of a merge", () => {
  const noted = parts("202611_1_1_0", "202611_2_2_0", "202611_3_3_0");

  expect(findUnconfirmed(parts("202611_1_2_1", "202611_3_3_0"), noted, 0)).toEqual([]);
});

it("finds the parts of an insert whose tokens did not reach the disk, in every month", () => {
  const there = parts("202611_1_1_0", "202611_2_2_0", "202612_3_3_0");

  expect(named(findUnconfirmed(there, parts("202611_1_1_0"), 0))).toEqual(["202611_2_2_0", "202612_3_3_0"]);
  expect(named(findUnconfirmed(parts("202611_1_1_0"), [], 0))).toEqual(["202611_1_1_0"]);
});

it("finds what such a part was merged into, where the others can take its place", () => {
  const sources = parts("202611_1_1_0", "202611_2_2_0", "202611_3_3_0");
  const merged = parts("202611_1_3_1");
  const noted = parts("202611_1_1_0", "202611_2_2_0");

  expect(named(findUnconfirmed([...sources, ...merged], noted, 0))).toEqual(["202611_1_3_1", "202611_3_3_0"]);
  expect(findUnconfirmed([...sources.slice(1), ...merged], noted, 0)).toEqual([]);
});

it("finds what such a part was mutated into", () => {
  const there = parts("202611_1_1_0_3", "202611_2_2_0", "202611_2_2_0_3");

  expect(named(findUnconfirmed(there, parts("202611_1_1_0"), 0))).toEqual(["202611_2_2_0", "202611_2_2_0_3"]);
});

it("leaves alone what is confirmed, what is older than the tokens that are kept, and a table without a log", () => {
  const there = parts("202611_1_1_0", "202611_5_5_0", "202611_9_9_0");

  expect(findUnconfirmed(there, parts("202611_5_5_0"), 9)).toEqual([]);
  expect(findUnconfirmed(there.slice(0, 2), parts("202611_5_5_0"), 0)).toEqual([]);
  expect(
    findUnconfirmed(parts(...Array.from({ length: 65 }, (_, n) => `202611_${n + 1}_${n + 1}_0`)), [], 0),
  ).toEqual([]);
});

it("leaves alone the parts of several inserts, and those of a table whose log was emptied: nobody repeats them", () => {
  const there = parts("202611_1_4_1", "202611_5_5_0", "202612_6_6_0", "202611_7_7_0");

  expect(findUnconfirmed(there, parts("202611_4_4_0"), 4)).toEqual([]);
  expect(findUnconfirmed(there, [], 4)).toEqual([]);
  expect(findUnconfirmed(there.slice(0, 2), [], 4)).toEqual([]);
});

it("leaves alone parts between those that have tokens", () => {
  const there = parts("202611_1_1_0", "202611_2_2_0", "202611_3_3_0");

  expect(findUnconfirmed(there, parts("202611_1_1_0", "202611_3_3_0"), 0)).toEqual([]);
});

it("finds the rest again after it was cut short between two parts", () => {
  const there = parts("202611_1_1_0", "202611_2_2_0", "202611_3_3_0", "202611_1_3_1");
  const noted = parts("202611_1_1_0", "202611_2_2_0");
  const [first] = findUnconfirmed(there, noted, 0);

  const rest = there.filter((part) => part !== first);

  expect(named(findUnconfirmed(rest, noted, 0))).toEqual(["202611_3_3_0"]);
});
