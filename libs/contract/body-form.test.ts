import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bodyKeysOf, findUnknownKeys, MOST_UNKNOWN } from "./body-form.ts";

const input = z.object({
  workspaceId: z.string(),
  name: z.string().optional(),
  limits: z.object({ clicks: z.int().nullable() }).partial().optional(),
  prices: z.array(z.object({ amount: z.int() })).default([]),
  labels: z.array(z.string()),
  values: z.record(z.string(), z.unknown()),
});
const keys = bodyKeysOf(input, "/workspaces/{workspaceId}/tiers");
const unknownIn = (body: object) => findUnknownKeys(body, keys).map(({ at }) => at);

describe("the unknown keys of a body", () => {
  it("are named by dotted path, at any depth, with those that are known there", () => {
    const body = { nmae: "x", limits: { click: 1 }, prices: [{ amount: 1 }, { amuont: 2 }] };

    expect(unknownIn(body)).toEqual(["nmae", "limits.click", "prices.1.amuont"]);
    expect(findUnknownKeys({ limits: { click: 1 } }, keys)).toEqual([
      { at: "limits.click", known: ["clicks"] },
    ]);
  });

  it("are those of the path, too: they belong into it", () => {
    expect(unknownIn({ workspaceId: "ws_1" })).toEqual(["workspaceId"]);
  });

  it("are none of a value whose keys are the caller's, nor of a value of the wrong type", () => {
    expect(unknownIn({ values: { any: { thing: 1 } }, name: { first: 1 }, limits: [{ click: 1 }] })).toEqual(
      [],
    );
    expect(unknownIn({ prices: { amuont: 1 }, labels: [{ x: 1 }] })).toEqual([]);
  });

  it("are all, of an endpoint that takes no body", () => {
    const none = bodyKeysOf(z.object({ workspaceId: z.string() }), "/workspaces/{workspaceId}/leave");

    expect(findUnknownKeys({ force: true }, none)).toEqual([{ at: "force", known: [] }]);
    expect(findUnknownKeys({ force: true }, bodyKeysOf(undefined, "/workspaces"))).toHaveLength(1);
  });

  it("are counted to a limit", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]));

    expect(unknownIn(many)).toHaveLength(MOST_UNKNOWN);
  });

  it("include the names that objects inherit", () => {
    expect(unknownIn(JSON.parse('{"toString":1,"__proto__":{"x":1},"constructor":2}'))).toEqual([
      "toString",
      "__proto__",
      "constructor",
    ]);
  });
});
