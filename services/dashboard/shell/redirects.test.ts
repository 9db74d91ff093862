import fc from "fast-check";
import { expect, it } from "vitest";
import { isOwnPage, readComingFrom } from "./redirects.ts";

it.each(["/", "/w/ws_1/ads?page=2", "/accept-invitation", "/w/ws_1/ads/ad_1?days=7#stats"])(
  "goes back to %s",
  (from) => {
    expect(readComingFrom({ from })).toEqual({ from });
  },
);

it.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  " /w",
  "w/ws_1",
  "",
])("goes nowhere for %j", (from) => {
  expect(readComingFrom({ from })).toEqual({});
});

it("stays on this site whatever a link holds", () => {
  const origin = "https://ads.example.com";
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("", "/", "//", "/\\", "/\n/"), (text, start) => {
      const from = `${start}${text}`;
      if (isOwnPage(from)) expect(new URL(from, origin).origin).toBe(origin);
    }),
  );
});

it("knows the notices that there are", () => {
  const read = [{ notice: "reset" }, { notice: "<b>" }, { notice: "verified" }].map(readComingFrom);

  expect(read).toEqual([{ notice: "reset" }, {}, { notice: "verified" }]);
});
