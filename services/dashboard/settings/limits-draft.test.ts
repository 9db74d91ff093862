import { expect, it } from "vitest";
import { checkLimits, draftOfLimits } from "./limits-draft.ts";

it.each([
  { impressionsPerMinute: null, clicksPerMinute: 0 },
  { impressionsPerMinute: 100_000, clicksPerMinute: 1 },
])("gives limits back as they are: %o", (limits) => {
  expect(checkLimits(draftOfLimits(limits))).toEqual({ input: limits });
});

it.each(["", "0", "1.5", "-1", "100001", "many"])("takes no limit of %j", (own) => {
  const problem = "Enter a whole number from 1 to 100,000.";

  expect(checkLimits({ impressions: { mode: "usual", own }, clicks: { mode: "own", own } })).toEqual({
    errors: { clicks: problem },
  });
});
