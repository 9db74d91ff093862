import { expect, it } from "vitest";
import { KeyHasher } from "./off-heap-map.ts";
import { RecentNumbers } from "./recent-numbers.ts";

const hasher = new KeyHasher();
const keyOf = (n: number) => hasher.hash("group", String(n));

it("keeps a number for its lifetime, and drops it within twice that", () => {
  let now = 0;
  const numbers = new RecentNumbers({ maxKeys: 100, livesMs: 1_000, now: () => now });
  now = 900;
  numbers.set(keyOf(1), 7);

  const seen = [1_899, 2_900].map((time) => {
    now = time;
    numbers.expire();
    return numbers.get(keyOf(1));
  });

  expect(seen).toEqual([7, undefined]);
});

it("drops everything after a long silence", () => {
  let now = 0;
  const numbers = new RecentNumbers({ maxKeys: 100, livesMs: 1_000, now: () => now });
  numbers.set(keyOf(1), 7);

  now = 10_000;
  numbers.expire();

  expect([numbers.get(keyOf(1)), numbers.size]).toEqual([undefined, 0]);
});

it("drops the older half early when it is full, and takes a changed number for a known key", () => {
  const numbers = new RecentNumbers({ maxKeys: 4, livesMs: 1_000, now: () => 0 });
  for (const n of [1, 2, 3, 4]) numbers.set(keyOf(n), n);
  numbers.set(keyOf(4), 40);
  numbers.set(keyOf(5), 5);

  expect([1, 2, 3, 4, 5].map((n) => numbers.get(keyOf(n)))).toEqual([undefined, undefined, 3, 40, 5]);
});
