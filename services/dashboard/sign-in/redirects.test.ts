import fc from "fast-check";
import { expect, it } from "vitest";
import { isOwnPage, readComingFrom } from "./redirects.ts";

it.each(["/", "/w/ws_1/ads?page=2", "/accept-invitation", "/w/ws_1/ads/ad_1?days=7#stats"])(
  "returns to %s",
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
])("ignores %j", (from) => {
  expect(readComingFrom({ from })).toEqual({});
});

it("accepts no text that leads to another site", () => {
  const origin = "https://ads.example.com";
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("", "/", "//", "/\\", "/\n/"), (text, start) => {
      const from = `${start}${text}`;
      if (isOwnPage(from)) expect(new URL(from, origin).origin).toBe(origin);
    }),
  );
});

it("accepts only known notices", () => {
  const read = [{ notice: "reset" }, { notice: "<b>" }, { notice: "verified" }].map(readComingFrom);

  expect(read).toEqual([{ notice: "reset" }, {}, { notice: "verified" }]);
});
