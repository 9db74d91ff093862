import { expect, it } from "vitest";
import { readConfig } from "./setting.ts";
import { secretSettings } from "./settings-services.ts";

const [NEW, OLD] = ["n".repeat(32), "o".repeat(40)];
const read = (SECRET_KEY: string) => readConfig(secretSettings, { SECRET_KEY }).secretKey;

it("reads one SECRET_KEY, or several joined by commas, in their order", () => {
  expect(read(NEW)).toEqual([NEW]);
  expect(read(`${NEW}, ${OLD}`)).toEqual([NEW, OLD]);
});

it("refuses a list with a key that is too short, and repeats none of them", () => {
  for (const given of [`${NEW},short`, `short,${OLD}`, `${NEW},`, "short"]) {
    expect(() => read(given)).toThrow(/^SECRET_KEY: must have at least 32 characters[^:"]*$/);
  }
});
