import { expect, it } from "vitest";
import { RecentUse } from "./recent-use.ts";

it("prefers who has used the least lately, and of several the first", () => {
  let now = 0;
  const used = new RecentUse(10_000, () => now);
  const next = (...parties: string[]) => used.nextOf(parties.map((party) => [party, now] as const));
  expect(next("one", "two")).toBe("one");
  used.add("one", 100);
  used.add("two", 60);
  used.add("three", 60);
  expect(next("one", "two", "three")).toBe("two");
  expect(next("one", "four")).toBe("four");

  now += 10_000;
  used.add("two", 30);
  expect(next("one", "two")).toBe("one");
  expect(next()).toBeUndefined();
});

it("lets nobody wait behind ever new ones for longer than they have used", () => {
  const used = new RecentUse(10_000, () => 1_000);
  used.add("much", 400);

  expect(
    used.nextOf([
      ["much", 700],
      ["new", 1_000],
    ]),
  ).toBe("new");
  expect(
    used.nextOf([
      ["much", 500],
      ["new", 1_000],
    ]),
  ).toBe("much");
});
