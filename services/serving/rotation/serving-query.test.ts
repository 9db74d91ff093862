import { describe, expect, it } from "vitest";
import { HttpError } from "#libs/http/index.ts";
import { parseServingQuery, type RawQuery } from "./serving-query.ts";

const GOLD = "tier_01kahm4sw4fksra52s8bd8xkd1";
const SILVER = "tier_01kahm4sw4fksra52s8bd8xkd2";
const AD = "ad_01kahm4sw4fksra52s8bd8xkd1";

function problemsOf(query: RawQuery): unknown {
  try {
    parseServingQuery(query);
  } catch (error) {
    if (error instanceof HttpError) return error.data;
  }
  return undefined;
}

describe("serving query", () => {
  it.each([
    ["nothing", {}, 1],
    ["0", { count: "0" }, 1],
    ["a negative count", { count: "-7" }, 1],
    ["50", { count: "50" }, 50],
    ["51", { count: "51" }, 50],
    ["a count beyond any number", { count: "9".repeat(400) }, 50],
    ["its negative", { count: `-${"9".repeat(400)}` }, 1],
  ])("clamps %s to 1 to 50", (_name, query, count) => {
    expect(parseServingQuery(query).count).toBe(count);
  });

  it("takes numbers as programs write them", () => {
    const { filter } = parseServingQuery({ "weight[gte]": "1e-7", "weight[lt]": "2.5E+3" });

    expect([filter.weightGte, filter.weightLt]).toEqual([1e-7, 2500]);
  });

  it("is the same filter however it is written", () => {
    const written: RawQuery[] = [
      { tierId: `${GOLD},${SILVER}`, "weight[gte]": "0" },
      { tierId: [SILVER, GOLD], "weight[gte]": "-0" },
      { tierId: [`${SILVER},, ${GOLD}`, GOLD], "weight[gte]": "0.0", unknown: "key" },
    ];

    expect(new Set(written.map((query) => parseServingQuery(query).filter.key)).size).toBe(1);
  });

  it("tells filters apart that differ", () => {
    const different: RawQuery[] = [
      {},
      { tierId: GOLD },
      { tierId: [GOLD, SILVER] },
      { tierId: "" },
      { "weight[gte]": "1" },
      { "weight[lt]": "1" },
    ];

    expect(new Set(different.map((query) => parseServingQuery(query).filter.key)).size).toBe(
      different.length,
    );
  });

  it("lets no text of a caller's into the key", () => {
    const { key } = parseServingQuery({ tierId: `${GOLD}\n5,\u0000,${"x".repeat(9999)}` }).filter;

    expect(key).toBe(parseServingQuery({ tierId: "" }).filter.key);
  });

  it("takes excluded ids joined, repeated and with brackets, up to 200", () => {
    const joined = parseServingQuery({ excludeIds: `${AD},x` }).excludeIds;
    const repeated = parseServingQuery({ excludeIds: [AD, AD] }).excludeIds;
    const bracketed = parseServingQuery({ "excludeIds[]": [AD, "y"] }).excludeIds;
    const many = Array.from({ length: 200 }, (_, index) => `id${index}`);

    expect([...joined, ...repeated, ...bracketed]).toEqual([AD, AD, AD]);
    expect(problemsOf({ excludeIds: many.slice(1), "excludeIds[]": many.slice(0, 1) })).toBeUndefined();
    expect(problemsOf({ excludeIds: many, "excludeIds[]": AD })).toBeDefined();
  });
});
