import { expect, it } from "vitest";
import { firstAddress, firstText, textOf } from "./creative.ts";
import type { Ad } from "./types/embed.d.mts";

const AD: Ad = {
  id: "ad_1",
  name: "Example Coffee",
  websiteUrl: "https://www.coffee.example/shop",
  faviconUrl: "",
  weight: 2,
  meta: { tagline: "Roasted", price: 4.5, open: true, logo: "https://img.example/logo.png", empty: "" },
};

it.each([
  ["name", "Example Coffee"],
  ["websiteUrl", "https://www.coffee.example/shop"],
  ["host", "coffee.example"],
  ["tagline", "Roasted"],
  ["price", "4.5"],
  ["open", ""],
  ["missing", ""],
  ["constructor", ""],
  ["__proto__", ""],
])("reads %s as %j", (key, text) => {
  expect(textOf(AD, key)).toBe(text);
});

it("takes the first key that there is a value for", () => {
  expect(firstText(AD, "missing, empty ,tagline,name")).toBe("Roasted");
  expect(firstAddress(AD, "tagline,logo")).toBe("https://img.example/logo.png");
  expect(firstAddress(AD, "tagline,faviconUrl")).toBeNull();
});
