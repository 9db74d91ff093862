import { expect, it } from "vitest";
import { readDays } from "./days.tsx";
import { readPageNumber } from "./search.ts";

it("takes pages after the first from an address, and nothing else", () => {
  const read = [2, "3", 1, 0, -1, 1.5, "x", null, undefined, { toString: 1 }].map(readPageNumber);

  expect(read).toEqual([{ page: 2 }, { page: 3 }, {}, {}, {}, {}, {}, {}, {}, {}]);
});

it("takes the periods that are offered, and 30 days for any other", () => {
  expect([7, "90", 365, 14, "x", undefined].map(readDays)).toEqual([7, 90, 365, 30, 30, 30]);
});
