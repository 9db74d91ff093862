import { expect, it } from "vitest";
import { compareCounts, NO_COUNTS } from "./report-dimensions.ts";

it("orders rates with clicks without any impression first and no events last", () => {
  const ordered = [
    { ...NO_COUNTS, clicks: 1 },
    { ...NO_COUNTS, impressions: 10, clicks: 5 },
    { ...NO_COUNTS, impressions: 10 },
    NO_COUNTS,
  ];

  expect(ordered.toReversed().sort(compareCounts("ctr"))).toEqual(ordered);
});
