import fc from "fast-check";
import { expect, it } from "vitest";
import { keyText } from "./key-text.ts";

it("writes both halves as numbers of 32 bits in base 36, as every process of an installation does", () => {
  const half = fc.oneof(
    fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 }),
    fc.constantFrom(0, 35, 36, 1295, 1296, 36 ** 4 - 1, 36 ** 4, 2 ** 32 - 1),
  );
  fc.assert(
    fc.property(half, half, (high, low) => {
      const [first, second] = [high, low].map((number) => BigInt.asUintN(32, BigInt(number)).toString(36));

      expect(keyText({ high, low })).toBe(`${first}.${second}`);
    }),
  );
});
