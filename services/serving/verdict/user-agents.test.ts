import { expect, it } from "vitest";
import { FIREFOX } from "../tests/serving-rig.ts";
import { createUserAgents, userAgentOf } from "./user-agents.ts";

it.each([
  ["a browser", FIREFOX, null],
  ["a crawler", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"],
  ["a command-line client", "curl/8.5.0", "bot"],
  ["nobody", "", "bot"],
])("takes %s for what it is", (_name, userAgent, verdict) => {
  expect(createUserAgents().judge(userAgent)).toBe(verdict);
});

it("reads no more of a user agent than any browser sends", () => {
  expect(userAgentOf({ "user-agent": "x".repeat(16_000) })).toHaveLength(512);
  expect(userAgentOf({})).toBe("");
});
