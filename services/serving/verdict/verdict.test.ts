import { describe, expect, it } from "vitest";
import { aCachedAd } from "../tests/builders.ts";
import { FIREFOX } from "../tests/serving-rig.ts";
import { judgeRequest, userAgentOf } from "./verdict.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const running = aCachedAd();
const never = { ...running, servedUntil: Number.NEGATIVE_INFINITY };

describe("verdict", () => {
  it.each([
    ["a browser", FIREFOX, "valid"],
    ["a crawler", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"],
    ["a command-line client", "curl/8.5.0", "bot"],
    ["nobody", "", "bot"],
  ])("takes %s for what it is", (_name, userAgent, verdict) => {
    expect(judgeRequest({}, userAgent, false, running, NOON)).toBe(verdict);
  });

  it.each([
    [{ purpose: "prefetch" }],
    [{ "sec-purpose": "prefetch;prerender" }],
    [{ "sec-purpose": "Prerender" }],
    [{ "x-moz": "prefetch" }],
  ])("sees a request made ahead of need by %o", (headers) => {
    expect(judgeRequest(headers, FIREFOX, false, running, NOON)).toBe("prefetch");
    expect(judgeRequest({ purpose: "navigation" }, FIREFOX, false, running, NOON)).toBe("valid");
  });

  it("counts events for 15 minutes after an ad's end, also when the clock was set back to before its beginning", () => {
    const verdictAfter = (milliseconds: number) =>
      judgeRequest({}, FIREFOX, false, { ...running, servedUntil: NOON }, NOON + milliseconds);

    expect(verdictAfter(15 * MINUTE - 1)).toBe("valid");
    expect(verdictAfter(15 * MINUTE)).toBe("not_serving");
    expect(verdictAfter(-60 * MINUTE)).toBe("valid");
    expect(judgeRequest({}, FIREFOX, false, never, NOON)).toBe("not_serving");
  });

  it("names the first reason: bot, then prefetch, then network, then not serving", () => {
    const ahead = { purpose: "prefetch" };

    expect(judgeRequest(ahead, "curl/8.5.0", true, never, NOON)).toBe("bot");
    expect(judgeRequest(ahead, FIREFOX, true, never, NOON)).toBe("prefetch");
    expect(judgeRequest({}, FIREFOX, true, never, NOON)).toBe("network");
    expect(judgeRequest({}, FIREFOX, false, never, NOON)).toBe("not_serving");
  });

  it("reads no more of a user agent than any browser sends", () => {
    expect(userAgentOf({ "user-agent": "x".repeat(16_000) })).toHaveLength(512);
    expect(userAgentOf({})).toBe("");
  });
});
