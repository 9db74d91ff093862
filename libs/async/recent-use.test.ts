import { expect, it } from "vitest";
import { RecentUse } from "./recent-use.ts";

it("prefers who has used the least lately, and of several the first", () => {
  let now = 0;
  const used = new RecentUse(() => now);
  expect(used.leastOf(["one", "two"])).toBe("one");
  used.add("one", 100);
  used.add("two", 60);
  used.add("three", 60);
  expect(used.leastOf(["one", "two", "three"])).toBe("two");
  expect(used.leastOf(["one", "four"])).toBe("four");

  now += 10_000;
  used.add("two", 30);
  expect(used.leastOf(["one", "two"])).toBe("one");
  expect(used.leastOf([])).toBeUndefined();
});
