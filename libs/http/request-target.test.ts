import { expect, it } from "vitest";
import { isPlainTarget } from "./plain-targets.ts";

it.each([
  "/",
  "/v1/workspaces/ws_01kahm4sw4fksra52s8bd8xkd1/ads",
  "/v1/ads?query=../..\\x&page=1",
  "/?query=SELECT%201",
  "/advertise/-/advertise.js",
  "/a//b/",
  "/v1/ads/ad%20one%2Ftwo%5c",
  "/@scope/a:b/it's(1)!",
  "/.well-known/security.txt",
  "/a/..b/c..",
])("takes %j as it is", (target) => {
  expect(isPlainTarget(target)).toBe(true);
});

it.each([
  "",
  "?page=1",
  "*",
  "example.com:443",
  "//",
  "//evil.example/v1/ads",
  "/\\evil.example",
  "http://127.0.0.1/v1/ads",
  "HTTP://127.0.0.1/v1/ads",
  "/v1/ads/..\\..\\workspaces",
  "/v1/ads\\x",
  "/v1/ads/../x",
  "/v1/ads/./x",
  "/v1/ads/..",
  "/v1/ads/.?x=1",
  "/v1/%2e%2e/x",
  "/v1/%2E./x",
  "/v1/.%2e\\x",
  "/v1/a\tb",
  "/v1/a\nb",
  "/v1/a\u0000b",
  "/v1/ä",
  "/v1/a b",
  "/v1/ads/..#fragment",
])("refuses %j, which is another path to a URL parser", (target) => {
  expect(isPlainTarget(target)).toBe(false);
});
