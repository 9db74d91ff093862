import { expect, it } from "vitest";
import { readSettingsSearch } from "../settings/search.ts";
import { readDays } from "./days.tsx";
import { readEditSearch, readPageSearch } from "./search.ts";

it("reads pages after the first from an address", () => {
  const read = [2, "3", 1, 0, -1, 1.5, "x", null, undefined, { toString: 1 }].map((page) =>
    readPageSearch({ page }),
  );

  expect(read).toEqual([{ page: 2 }, { page: 3 }, {}, {}, {}, {}, {}, {}, {}, {}]);
});

it("reads the offered periods, and 30 days for any other", () => {
  expect([7, "90", 365, 14, "x", undefined].map(readDays)).toEqual([7, 90, 365, 30, 30, 30]);
});

it("reads the id of the edited item, and ignores invalid ones", () => {
  expect(readEditSearch({ edit: "tier_1", other: "x" })).toEqual({ edit: "tier_1" });
  expect(["", 1, null, ["a"], "a".repeat(101)].map((edit) => readEditSearch({ edit }))).toEqual(
    Array.from({ length: 5 }, () => ({})),
  );
});

it("reads the tab of the settings; the first tab and unknown ones stay out of the address", () => {
  expect(["members", "general", "nothing", undefined].map((tab) => readSettingsSearch({ tab }))).toEqual([
    { tab: "members" },
    {},
    {},
    {},
  ]);
});
