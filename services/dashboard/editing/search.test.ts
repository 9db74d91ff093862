import { expect, it } from "vitest";
import { readSettingsSearch } from "../settings/search.ts";
import { readEditSearch } from "./search.ts";

it("reads what is edited, and nothing that makes no sense", () => {
  expect(readEditSearch({ edit: "tier_1", other: "x" })).toEqual({ edit: "tier_1" });
  expect(["", 1, null, ["a"], "a".repeat(101)].map((edit) => readEditSearch({ edit }))).toEqual(
    Array.from({ length: 5 }, () => ({})),
  );
});

it("reads which settings are in view; the first ones, and unknown ones, stay out of the address", () => {
  expect(["members", "general", "nothing", undefined].map((tab) => readSettingsSearch({ tab }))).toEqual([
    { tab: "members" },
    {},
    {},
    {},
  ]);
});
