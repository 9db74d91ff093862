import fc from "fast-check";
import { expect, it } from "vitest";
import { NumberTable } from "./number-table.ts";
import { TableKeys } from "./table-keys.ts";

/** Few, so that they come again. */
const aText = fc.oneof(fc.constantFrom("", "a", "aa", "b", "ad_1", "ad_2"), fc.string({ maxLength: 3 }));

it("remembers as a map does", () => {
  const command = fc.record({ group: aText, key: aText, value: fc.integer() });

  fc.assert(
    fc.property(fc.array(command, { maxLength: 300 }), (commands) => {
      const keys = new TableKeys();
      const table = new NumberTable();
      const map = new Map<string, number>();

      for (const { group, key, value } of commands) {
        const name = JSON.stringify([group, key]);
        expect(table.get(keys.of(group, key))).toBe(map.get(name));
        table.set(keys.of(group, key), value);
        map.set(name, value);
      }

      expect(table.size).toBe(map.size);
    }),
  );
});

it("keeps everything as it grows, and nothing once it is cleared", () => {
  const keys = new TableKeys();
  const table = new NumberTable();

  for (let n = 0; n < 50_000; n += 1) table.set(keys.of(`ad_${n % 7}`, `visitor${n}`), n);
  const kept = Array.from({ length: 50_000 }, (_, n) => table.get(keys.of(`ad_${n % 7}`, `visitor${n}`)));
  const other = table.get(keys.of("ad_1", "visitor0"));
  table.clear();
  const after = table.get(keys.of("ad_0", "visitor0"));
  table.set(keys.of("ad_0", "visitor0"), 1);

  expect(kept).toEqual(Array.from({ length: 50_000 }, (_, n) => n));
  expect(other).toBeUndefined();
  expect(after).toBeUndefined();
  expect(table.size).toBe(1);
});

it("tells texts apart by where one ends and the other begins", () => {
  const keys = new TableKeys();
  const { high, low } = keys.of("ad_1", "2");
  const first = [high, low];

  const other = keys.of("ad_", "12");

  expect([other.high, other.low]).not.toEqual(first);
});
