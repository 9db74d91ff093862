import { expect, it } from "vitest";
import { MinuteCounts } from "./minute-counts.ts";

it("begins at zero each minute, also after the clock was set back", () => {
  let now = 1_000_000;
  const counts = new MinuteCounts<string>(() => now);
  const countAt = (time: number) => {
    now = time;
    counts.add("a", 1);
    return [counts.of("a"), counts.of("b"), counts.resetMs()];
  };

  expect(countAt(1_000_000)).toEqual([1, 0, 60_000]);
  expect(countAt(1_059_999)).toEqual([2, 0, 1]);
  expect(countAt(1_060_000)).toEqual([1, 0, 60_000]);
  expect(countAt(500_000)).toEqual([1, 0, 60_000]);
});
