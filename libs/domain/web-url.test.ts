import { expect, it } from "vitest";
import { completeUrl, isWebUrl } from "./web-url.ts";

it.each([
  "https://example.com",
  "http://a.example:8080/path?query=1#part",
  "https://münchen.example/straße",
  "HTTPS://EXAMPLE.COM",
  "http://192.0.2.7/",
  "http://[2001:db8::1]:8080/",
  "https://my_site.example/a*b",
  `https://example.com/${"😀".repeat(2028)}`,
])("takes %s", (text) => {
  expect(isWebUrl(text)).toBe(true);
});

it.each([
  "",
  "example.com",
  "//example.com",
  "ftp://example.com",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://",
  "https:// example.com",
  "https://exa\nmple.com",
  "https://a*b.example",
  "https://a'b.example",
  "https://[::1",
  `https://example.com/${"x".repeat(2048)}`,
])("refuses %j", (text) => {
  expect(isWebUrl(text)).toBe(false);
});

it.each([
  ["lumen.example", "https://lumen.example"],
  [" www.lumen.example/a?b=c#d ", "https://www.lumen.example/a?b=c#d"],
  ["lumen.example:8080/x", "https://lumen.example:8080/x"],
  ["http://lumen.example", "http://lumen.example"],
  ["javascript:alert(1.5)", "javascript:alert(1.5)"],
  ["ann@lumen.example", "ann@lumen.example"],
  ["//lumen.example", "//lumen.example"],
  ["lumen", "lumen"],
  ["", ""],
])("completes the typed address %j to %j", (typed, complete) => {
  expect(completeUrl(typed)).toBe(complete);
});
