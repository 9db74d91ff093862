import { expect, it } from "vitest";
import { readAdvertiserSearch, readAdvertisersSearch } from "./search.ts";

it("keeps valid values of an address, without defaults", () => {
  expect(readAdvertisersSearch({ q: " coffee ", page: 2 })).toEqual({ q: "coffee", page: 2 });
  expect(readAdvertisersSearch({ q: "", page: 1 })).toEqual({});
  expect(readAdvertisersSearch({ q: ["coffee"], page: { toString: 1 } })).toEqual({});
});

it("reads the status of an invoice", () => {
  expect(readAdvertiserSearch({ invoices: "paid", page: 3 })).toEqual({ invoices: "paid", page: 3 });
  expect(readAdvertiserSearch({ invoices: "Paid", page: "x" })).toEqual({});
});
