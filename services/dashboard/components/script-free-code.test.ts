import { expect, it } from "vitest";
import { scriptFreeCode } from "./script-free-code.ts";

const ORIGIN = "https://ads.example.com";
const AD = { id: "ad_01kahm4sw4fksra52s8bd8xkd1", name: "Nord & Co <b>]]>[x](y)" };
const PATH = `${ORIGIN}/v1/ads/${AD.id}`;

it("links newsletters to the ad, with a pixel, and lets no name become markup", () => {
  expect(scriptFreeCode(ORIGIN, AD, "Newsletter")).toBe(
    `<a href="${PATH}/click" rel="sponsored noopener">Nord &amp; Co &lt;b&gt;&#93;&#93;&gt;&#91;x&#93;(y)</a><img src="${PATH}/impression.gif" alt="" width="1" height="1">`,
  );
});

it("wraps the same for a feed, whose end no name can forge", () => {
  const code = scriptFreeCode(ORIGIN, AD, "Feed");

  expect(code.match(/\]\]>/g)).toHaveLength(1);
  expect(code).toMatch(/^<description><!\[CDATA\[<a .*\]\]><\/description>$/);
});

it("writes a README's link in Markdown, without a pixel", () => {
  expect(scriptFreeCode(ORIGIN, AD, "README")).toBe(
    `[Nord \\& Co \\<b\\>\\]\\]\\>\\[x\\]\\(y\\)](${PATH}/click)`,
  );
});

it("keeps a name on one line, and what XML cannot hold out of it", () => {
  const ad = { ...AD, name: "Nord\n\n# Co\u000b\u000c\uffff!" };

  expect(scriptFreeCode(ORIGIN, ad, "README")).toBe(`[Nord \\# Co \\!](${PATH}/click)`);
  expect(scriptFreeCode(ORIGIN, ad, "Feed")).toContain(">Nord # Co !</a>");
});

it.each(["{{ email }}", "{% x %}", "*|FNAME|*", "%%=v(@x)=%%", "[firstname]", "$!{x}", "<%= x %>"])(
  "gives a newsletter service no merge tag to fill in: %s",
  (name) => {
    const code = scriptFreeCode(ORIGIN, { ...AD, name }, "Newsletter");

    expect(code.replace(/<[^>]*>/g, "")).not.toMatch(/[{}[\]%*|$<>]/);
  },
);
