import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adsContract } from "#libs/contract/ads.ts";
import { AD_ORDERS } from "#libs/domain/list-orders.ts";
import { AD_STATUSES } from "#libs/domain/review.ts";
import { isStorable } from "#libs/domain/storable-text.ts";
import { SUBSCRIPTION_FILTERS } from "#libs/domain/subscription.ts";
import {
  type AdFilters,
  adsInput,
  changeAdFilters,
  isFiltered,
  NO_FILTERS,
  readAdFilters,
  SERVING_CHOICES,
} from "./ad-filters.ts";

const SEARCH_KEYS = ["status", "tier", "serving", "subscription", "q", "sort", "page"];
const listInput = adsContract.list["~orpc"].inputSchema;
if (listInput === undefined) throw new Error("the contract takes no input for a list of ads");

const anyFilters: fc.Arbitrary<AdFilters> = fc.record(
  {
    status: fc.constantFrom(...AD_STATUSES),
    tier: fc.constantFrom("tier_1", "tier_2"),
    serving: fc.constantFrom(...SERVING_CHOICES),
    subscription: fc.constantFrom(...SUBSCRIPTION_FILTERS),
    q: fc
      .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
      .map((text) => text.trim())
      .filter((text) => text !== "" && isStorable(text)),
    sort: fc.constantFrom(...AD_ORDERS.filter((sort) => sort !== "newest")),
    page: fc.integer({ min: 2, max: 10_000 }),
  },
  { requiredKeys: [] },
);

describe("filters in the address", () => {
  it("are read as they were written", () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        expect(readAdFilters(filters)).toEqual(filters);
      }),
    );
  });

  it("leave a plain address without a choice", () => {
    expect(readAdFilters({ ...NO_FILTERS, q: "  ", sort: "newest", page: 1 })).toEqual({});
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
  ])("are ignored if they are invalid: %j", (search) => {
    expect(readAdFilters(search)).toEqual({});
  });

  it("read a number as text", () => {
    expect(readAdFilters({ q: 2024 }).q).toBe("2024");
  });
});

describe("a change of filters", () => {
  it("returns to the first page", () => {
    expect(changeAdFilters({ sort: "name", page: 4 }, { status: "Pending" })).toEqual({
      sort: "name",
      status: "Pending",
    });
  });

  it("can be a change of the page", () => {
    expect(changeAdFilters({ status: "Pending" }, { page: 2 })).toEqual({ status: "Pending", page: 2 });
  });

  it("clears all filters and keeps the order", () => {
    const filters: AdFilters = {
      status: "Pending",
      tier: "tier_1",
      serving: "no",
      q: "coffee",
      sort: "name",
    };

    expect(changeAdFilters(filters, NO_FILTERS)).toEqual({ sort: "name" });
  });
});

describe("the input of the API", () => {
  it("has no unused filters", () => {
    expect(adsInput("ws_1", {})).toEqual({ workspaceId: "ws_1", stats: "last30Days" });
  });

  it("has nothing that stands in the address and is no filter", () => {
    const address = { q: "coffee", utm_source: "mail", search: "nothing" };

    expect(adsInput("ws_1", address)).toEqual({
      workspaceId: "ws_1",
      stats: "last30Days",
      query: "coffee",
    });
  });

  it("has every filter", () => {
    const filters = readAdFilters({
      status: "Approved",
      tier: "tier_1",
      serving: "no",
      q: " coffee ",
      sort: "tier",
      page: 3,
    });

    expect(adsInput("ws_1", filters)).toEqual({
      workspaceId: "ws_1",
      stats: "last30Days",
      status: "Approved",
      tierId: "tier_1",
      serving: "no",
      query: "coffee",
      sort: "tier",
      page: 3,
    });
  });

  it("is valid for the contract, whatever the address says", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...SEARCH_KEYS), fc.anything()), (search) => {
        const input = adsInput("ws_1", readAdFilters(search));

        expect(listInput.safeParse(input).success).toBe(true);
      }),
    );
  });
});

it("counts filters as filters, not the order or the page", () => {
  expect(isFiltered({ sort: "name", page: 2 })).toBe(false);
  expect(isFiltered(readAdFilters({ q: "  " }))).toBe(false);
  expect(isFiltered({ q: "coffee" })).toBe(true);
  expect(isFiltered({ serving: "no" })).toBe(true);
});
