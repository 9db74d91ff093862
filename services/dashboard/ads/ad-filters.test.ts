import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adsContract } from "#libs/contract/ads.ts";
import { AD_STATUSES } from "#libs/domain/review.ts";
import { isStorable } from "#libs/domain/storable-text.ts";
import {
  AD_SORTS,
  type AdFilters,
  adsInput,
  changeAdFilters,
  isFiltered,
  readAdFilters,
  SERVING_CHOICES,
  writeAdFilters,
} from "./ad-filters.ts";

const PLAIN: AdFilters = { status: null, tierId: null, serving: null, text: "", sort: "newest", page: 1 };

const SEARCH_KEYS = ["status", "tier", "serving", "q", "sort", "page"];
const listInput = adsContract.list["~orpc"].inputSchema;
if (listInput === undefined) throw new Error("the contract takes no input for a list of ads");

const anyFilters: fc.Arbitrary<AdFilters> = fc.record({
  status: fc.constantFrom(null, ...AD_STATUSES),
  tierId: fc.constantFrom(null, "tier_1", "tier_2"),
  serving: fc.constantFrom(null, ...SERVING_CHOICES),
  text: fc
    .string({ maxLength: 20, unit: "grapheme" })
    .map((text) => text.trim())
    .filter(isStorable),
  sort: fc.constantFrom(...AD_SORTS),
  page: fc.integer({ min: 1, max: 10_000 }),
});

describe("filters in the address", () => {
  it("come back from it as they went in", () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const search = { ...writeAdFilters(filters) };

        expect(readAdFilters(search)).toEqual(filters);
      }),
    );
  });

  it("leave a plain address where nothing is chosen", () => {
    expect(writeAdFilters(PLAIN)).toEqual({});
  });

  it.each([
    [{ status: "pending" }],
    [{ status: ["Pending"], sort: "__proto__" }],
    [{ page: 0 }],
    [{ page: -3, serving: "maybe" }],
    [{ page: 1.5, q: { text: "coffee" } }],
    [{ page: "x", tier: null }],
    [{ page: 1e300 }],
    [{ page: { toString: 1 }, q: "\u0000" }],
  ])("are as if they were not there where they make no sense: %j", (search) => {
    expect(readAdFilters(search)).toEqual(PLAIN);
  });

  it("take a number for the text that it was", () => {
    expect(readAdFilters({ q: 2024 }).text).toBe("2024");
  });
});

describe("a change of filters", () => {
  it("is looked at from its first page", () => {
    expect(changeAdFilters({ ...PLAIN, page: 4 }, { status: "Pending" })).toEqual({
      ...PLAIN,
      status: "Pending",
    });
  });

  it("can be a change of the page itself", () => {
    expect(changeAdFilters({ ...PLAIN, status: "Pending" }, { page: 2 })).toEqual({
      ...PLAIN,
      status: "Pending",
      page: 2,
    });
  });
});

describe("what the interface is asked for", () => {
  it("says nothing of what is not filtered by", () => {
    expect(adsInput("ws_1", PLAIN)).toEqual({ workspaceId: "ws_1", sort: "newest", page: 1 });
  });

  it("has every filter", () => {
    const filters: AdFilters = {
      status: "Approved",
      tierId: "tier_1",
      serving: "no",
      text: " coffee ",
      sort: "tier",
      page: 3,
    };

    expect(adsInput("ws_1", filters)).toEqual({
      workspaceId: "ws_1",
      status: "Approved",
      tierId: "tier_1",
      serving: "no",
      query: "coffee",
      sort: "tier",
      page: 3,
    });
  });

  it("is something that the contract takes, whatever the address says", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...SEARCH_KEYS), fc.anything()), (search) => {
        const input = adsInput("ws_1", readAdFilters(search));

        expect(listInput.safeParse(input).success).toBe(true);
      }),
    );
  });
});

it("is filtered by what leaves ads out, not by their order or the page", () => {
  expect(isFiltered({ ...PLAIN, sort: "name", page: 2 })).toBe(false);
  expect(isFiltered({ ...PLAIN, text: "  " })).toBe(false);
  expect(isFiltered({ ...PLAIN, text: "coffee" })).toBe(true);
  expect(isFiltered({ ...PLAIN, serving: "no" })).toBe(true);
});
