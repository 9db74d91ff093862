import { expect, it } from "vitest";
import { clickThroughRate } from "./totals.ts";

it("is the share of impressions that were clicked, and none where nothing was seen", () => {
  expect(clickThroughRate({ impressions: 200, clicks: 3 })).toBe(0.015);
  expect(clickThroughRate({ impressions: 0, clicks: 0 })).toBeNaN();
});
