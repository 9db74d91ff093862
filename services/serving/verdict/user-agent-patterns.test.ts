import { expect, it } from "vitest";
import { type Pattern, UserAgentPatterns } from "./user-agent-patterns.ts";

/** Texts of few letters, so that many have parts in common; the same in each run. */
function createTexts() {
  let state = 7;
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  return (shortest: number, longest: number) =>
    Array.from({ length: shortest + below(longest - shortest + 1) }, () => "abc/"[below(4)]).join("");
}

it("matches what asking each pattern matches", () => {
  const text = createTexts();
  const all: Pattern[] = Array.from({ length: 300 }, (_, n) => ({
    text: n % 3 === 0 ? `abc/${text(3, 9)}` : text(n < 5 ? 1 : 5, 12),
    isAtStart: n < 5 || n % 4 === 0,
    exceptions: n % 5 === 0 ? [text(2, 4), text(4, 6)] : [],
  }));
  const userAgents = Array.from({ length: 3_000 }, () => text(0, 24));
  // Few at a time: all together match nearly everything.
  for (let from = 0; from < all.length; from += 20) {
    const some = all.slice(from, from + 20);
    const patterns = new UserAgentPatterns();
    for (const pattern of some) patterns.add(pattern);

    const expected = userAgents.filter((userAgent) =>
      some.some(
        ({ text: part, isAtStart, exceptions }) =>
          (isAtStart ? userAgent.startsWith(part) : userAgent.includes(part)) &&
          !exceptions.some((exception) => userAgent.includes(exception)),
      ),
    );

    expect(patterns.size).toBe(20);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(userAgents.length);
    expect(userAgents.filter((userAgent) => patterns.match(userAgent))).toEqual(expected);
  }
});

it("tells characters apart that have a byte in common", () => {
  const patterns = new UserAgentPatterns();
  patterns.add({ text: "abc", isAtStart: false, exceptions: [] });

  // U+0161 ends in the byte of "a".
  expect(["xabc", "\u0161bc"].map((userAgent) => patterns.match(userAgent))).toEqual([true, false]);
});
