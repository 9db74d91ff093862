import fc from "fast-check";
import { expect, it } from "vitest";
import { KeyHasher, OffHeapMap } from "./off-heap-map.ts";

/** Few, so that they come again. */
const aText = fc.oneof(fc.constantFrom("", "a", "aa", "b", "ad_1", "ad_2"), fc.string({ maxLength: 3 }));

it("gets, sets and deletes as a Map does", () => {
  const command = fc.record({
    group: aText,
    key: aText,
    value: fc.option(fc.integer(), { nil: undefined }),
  });

  fc.assert(
    fc.property(fc.array(command, { maxLength: 300 }), (commands) => {
      const hasher = new KeyHasher();
      const offHeap = new OffHeapMap();
      const map = new Map<string, number>();

      for (const { group, key, value } of commands) {
        const name = JSON.stringify([group, key]);
        expect(offHeap.get(hasher.hash(group, key))).toBe(map.get(name));
        if (value === undefined) {
          offHeap.delete(hasher.hash(group, key));
          map.delete(name);
        } else {
          offHeap.set(hasher.hash(group, key), value);
          map.set(name, value);
        }
      }

      expect(offHeap.size).toBe(map.size);
    }),
  );
});

it("finds every key that is left after deletions among colliding ones, across the end of the table", () => {
  // Their searches begin at the last five of 1,024 entries, so they collide and continue at the first.
  const keyOf = (n: number) => ({ high: n + 1, low: 1019 + (n % 5) });
  const numbers = Array.from({ length: 60 }, (_, n) => n);

  fc.assert(
    fc.property(fc.shuffledSubarray(numbers), (deleted) => {
      const offHeap = new OffHeapMap();
      for (const n of numbers) offHeap.set(keyOf(n), n);

      for (const n of deleted) offHeap.delete(keyOf(n));

      const expected = numbers.map((n) => (deleted.includes(n) ? undefined : n));
      expect(numbers.map((n) => offHeap.get(keyOf(n)))).toEqual(expected);
      expect(offHeap.size).toBe(numbers.length - deleted.length);
    }),
  );
});

it("keeps everything as it grows, and nothing once it is cleared", () => {
  const hasher = new KeyHasher();
  const offHeap = new OffHeapMap();

  for (let n = 0; n < 50_000; n += 1) offHeap.set(hasher.hash(`ad_${n % 7}`, `visitor${n}`), n);
  const kept = Array.from({ length: 50_000 }, (_, n) =>
    offHeap.get(hasher.hash(`ad_${n % 7}`, `visitor${n}`)),
  );
  const other = offHeap.get(hasher.hash("ad_1", "visitor0"));
  offHeap.clear();
  const after = offHeap.get(hasher.hash("ad_0", "visitor0"));
  offHeap.set(hasher.hash("ad_0", "visitor0"), 1);

  expect(kept).toEqual(Array.from({ length: 50_000 }, (_, n) => n));
  expect(other).toBeUndefined();
  expect(after).toBeUndefined();
  expect(offHeap.size).toBe(1);
});

it("tells strings apart by where one ends and the other begins", () => {
  const hasher = new KeyHasher();
  const { high, low } = hasher.hash("ad_1", "2");
  const first = [high, low];

  const other = hasher.hash("ad_", "12");

  expect([other.high, other.low]).not.toEqual(first);
});
