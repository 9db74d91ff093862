import { expect, it } from "vitest";
import { readWebsite } from "./website.ts";

it.each([
  ["example.com", "https://example.com"],
  [" www.example.com/blog ", "https://www.example.com/blog"],
  ["http://example.com", "http://example.com"],
  ["HTTPS://example.com", "HTTPS://example.com"],
  ["localhost:3000", "https://localhost:3000"],
])("reads %j as an address", (typed, address) => {
  expect(readWebsite(typed)).toBe(address);
});

it.each(["my site", "javascript:alert(1)", "ftp://example.com", "https://", "//example.com"])(
  "takes %j for none",
  (typed) => {
    expect(readWebsite(typed)).toBeNull();
  },
);
