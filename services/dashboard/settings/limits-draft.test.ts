import { expect, it } from "vitest";
import { checkLimits, draftOfLimits } from "./limits-draft.ts";

it.each([
  { impressionsPerMinute: null, clicksPerMinute: 0 },
  { impressionsPerMinute: 100_000, clicksPerMinute: 1 },
])("does not change limits that nobody edited: %o", (limits) => {
  expect(checkLimits(draftOfLimits(limits))).toEqual({ input: { limits } });
});

it.each(["", "0", "1.5", "-1", "100001", "many"])("rejects a limit of %j", (own) => {
  const problem = "Enter a whole number from 1 to 100,000.";

  const draft = {
    impressionsPerMinute: { mode: "usual", own },
    clicksPerMinute: { mode: "own", own },
  } as const;
  expect(checkLimits({ limits: draft })).toEqual({ errors: { "limits.clicksPerMinute": problem } });
});
