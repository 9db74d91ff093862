import { expect, it } from "vitest";
import { pauseBefore } from "./wait-for-payment.ts";

it("looks soon at first, then more and more seldom, and stays well under the limit of an address", () => {
  const pauses = Array.from({ length: 40 }, (_none, look) => pauseBefore(look));
  let elapsed = 0;
  const inFirstMinute = pauses.filter((pause) => {
    elapsed += pause;
    return elapsed <= 60_000;
  });

  expect(pauses[0]).toBe(1_500);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(15_000);
  expect(inFirstMinute.length).toBeLessThanOrEqual(15);
});
