import { expect, it } from "vitest";
import { mayShowImage, readWebsite, shortAddress, webAddress } from "./web-address.ts";

it.each([
  "javascript:alert(1)",
  " javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "vbscript:msgbox(1)",
  "blob:https://example.com/1",
  "//example.com",
  "/v1/workspaces",
  "https:example.com",
  "https://exa mple.com",
  'https://example.com"><script>alert(1)</script> ',
  "",
])("lets %j be no link and no image", (url) => {
  expect(webAddress(url)).toBeNull();
  expect(mayShowImage(url, "https://ads.example.com")).toBe(false);
});

it("allows links to web addresses only", () => {
  expect(webAddress("https://example.com/a?b=<c>")).toBe("https://example.com/a?b=<c>");
  expect(webAddress("http://example.com")).toBe("http://example.com");
  expect(webAddress(null)).toBeNull();
});

it("shows only images that the page's policy allows", () => {
  const origin = "http://127.0.0.1:8080";

  expect(mayShowImage("http://127.0.0.1:8080/uploads/a.png", origin)).toBe(true);
  expect(mayShowImage("https://bucket.example.com/a.png", origin)).toBe(true);
  expect(mayShowImage("http://bucket.example.com/a.png", origin)).toBe(false);
});

it("shortens an address for people to read", () => {
  expect(shortAddress("https://coffee.example/")).toBe("coffee.example");
  expect(shortAddress("HTTP://coffee.example/menu")).toBe("coffee.example/menu");
});

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
