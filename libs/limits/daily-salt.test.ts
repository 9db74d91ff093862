import { expect, it } from "vitest";
import { saltLifetimeSeconds } from "./daily-salt.ts";

const HOUR = 3600;

it.each([
  ["at the start of the day", "2026-11-21T00:00:00Z", 25 * HOUR],
  ["at noon", "2026-11-21T12:00:00Z", 13 * HOUR],
  ["in the last second", "2026-11-21T23:59:59Z", HOUR + 1],
  ["by a clock that is behind, after midnight", "2026-11-22T00:10:00Z", HOUR],
  ["a day ahead", "2026-11-20T00:00:00Z", 49 * HOUR],
  ["by a clock that was wrong by years", "2020-01-01T00:00:00Z", 49 * HOUR],
])("keeps a day's salt until the day is over and an hour longer, when made %s", (_when, now, seconds) => {
  expect(saltLifetimeSeconds("2026-11-21", Date.parse(now))).toBe(seconds);
});
