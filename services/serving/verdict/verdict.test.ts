import { describe, expect, it } from "vitest";
import { aCachedAd } from "../tests/builders.ts";
import { judgeRequest } from "./verdict.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const running = aCachedAd();
const never = { ...running, servedUntil: Number.NEGATIVE_INFINITY };

describe("verdict", () => {
  it.each([
    [{ purpose: "prefetch" }],
    [{ "sec-purpose": "prefetch;prerender" }],
    [{ "sec-purpose": "Prerender" }],
    [{ "x-moz": "prefetch" }],
  ])("sees a request made ahead of need by %o", (headers) => {
    expect(judgeRequest(headers, null, false, running, NOON)).toBe("prefetch");
    expect(judgeRequest({ purpose: "navigation" }, null, false, running, NOON)).toBe("valid");
  });

  it("counts events for 15 minutes after an ad's end, also when the clock was set back to before its beginning", () => {
    const verdictAfter = (milliseconds: number) =>
      judgeRequest({}, null, false, { ...running, servedUntil: NOON }, NOON + milliseconds);

    expect(verdictAfter(15 * MINUTE - 1)).toBe("valid");
    expect(verdictAfter(15 * MINUTE)).toBe("not_serving");
    expect(verdictAfter(-60 * MINUTE)).toBe("valid");
    expect(judgeRequest({}, null, false, never, NOON)).toBe("not_serving");
  });

  it("names the first reason: bot, then prefetch, then network, then not serving", () => {
    const ahead = { purpose: "prefetch" };

    expect(judgeRequest(ahead, "bot", true, never, NOON)).toBe("bot");
    expect(judgeRequest(ahead, null, true, never, NOON)).toBe("prefetch");
    expect(judgeRequest({}, null, true, never, NOON)).toBe("network");
    expect(judgeRequest({}, null, false, never, NOON)).toBe("not_serving");
  });
});
