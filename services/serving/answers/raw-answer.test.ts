import { describe, expect, it } from "vitest";
import { matchesEtag } from "#libs/http/index.ts";
import { cacheControl, createRawAnswer } from "./raw-answer.ts";

describe("entity tag", () => {
  const { etag } = createRawAnswer('{"ads":[]}');

  it.each([
    ["the tag itself", etag],
    ["its weak form", `W/${etag}`],
    ["any tag", "*"],
    ["a list with it", `"other", W/${etag} ,"last"`],
  ])("matches %s", (_name, header) => {
    expect(matchesEtag(header, etag)).toBe(true);
  });

  it.each([
    ["another tag", '"other"'],
    ["the tag without quotes", etag.slice(1, -1)],
    ["nothing", ""],
    ["an endless list", `${'"other",'.repeat(1000)}${etag}`],
  ])("does not match %s", (_name, header) => {
    expect(matchesEtag(header, etag)).toBe(false);
  });

  it("differs with the content and measures it in bytes", () => {
    const answer = createRawAnswer('{"name":"Café ☕"}');

    expect(answer.etag).not.toBe(etag);
    expect(answer.length).toBe(Buffer.byteLength('{"name":"Café ☕"}'));
  });
});

describe("cache control", () => {
  it("is at its full length while the window is young", () => {
    expect(cacheControl(60_000)).toBe("public, max-age=5, s-maxage=10, stale-while-revalidate=30");
  });

  it.each([
    [39_999, "public, max-age=5, s-maxage=10, stale-while-revalidate=29"],
    [9_500, "public, max-age=5, s-maxage=9, stale-while-revalidate=0"],
    [3_000, "public, max-age=3, s-maxage=3, stale-while-revalidate=0"],
    [999, "public, max-age=0, s-maxage=0, stale-while-revalidate=0"],
  ])("shrinks when %i ms are left", (left, header) => {
    expect(cacheControl(left)).toBe(header);
  });
});
