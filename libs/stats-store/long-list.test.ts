import { expect, it } from "vitest";
import { longList, longNumbers } from "./long-list.ts";

it("divides a list so that no parameter is longer than ClickHouse takes, and loses nothing", () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => String(n).padStart(60, "0"));

  const { sql, params } = longList("places", texts);

  const lists = Object.values(params);
  expect(Math.max(...lists.map((list) => `['${list.join("','")}']`.length))).toBeLessThan(128 * 1024);
  expect(lists.flat()).toEqual(texts);
  expect(sql.match(/\w+(?=:Array)/g)).toEqual(Object.keys(params));
});

it("has each text once", () => {
  expect(Object.values(longList("ads", ["a", "b", "a"]).params)).toEqual([["a", "b"]]);
});

it("has a parameter for an empty list, too", () => {
  expect(longList("ads", [])).toEqual({ sql: "arrayConcat({ads0:Array(String)})", params: { ads0: [] } });
});

it("divides numbers as well, and keeps repeated ones", () => {
  const numbers = Array.from({ length: 20_001 }, (_, n) => 4_294_967_295 - (n % 2));

  const lists = Object.values(longNumbers("groups", numbers).params);

  expect(Math.max(...lists.map((list) => JSON.stringify(list).length))).toBeLessThan(128 * 1024);
  expect(lists.flat()).toEqual(numbers.map(String));
  expect(longNumbers("groups", []).params).toEqual({ groups0: [] });
});
