import { expect, it } from "vitest";
import { webAddress } from "./web-address.ts";

it.each([
  ["https://example.com", "https://example.com/"],
  ["HTTP://EXAMPLE.COM/Path?q=1#x", "http://example.com/Path?q=1#x"],
  ['https://example.com/"><script>', "https://example.com/%22%3E%3Cscript%3E"],
])("takes %s", (given, address) => {
  expect(webAddress(given)).toBe(address);
});

it.each([
  "javascript:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "//example.com",
  "/path",
  "https://",
  "",
  7,
  null,
  undefined,
  ["https://example.com"],
])("takes no %j", (given) => {
  expect(webAddress(given)).toBeNull();
});
