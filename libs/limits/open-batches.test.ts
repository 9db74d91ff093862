import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { whichAreLost } from "./open-batches.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The duplicate 0, whose original ends after this long. */
async function lostAfter(originalMs: number, isStored: boolean): Promise<ReadonlySet<number>> {
  const lost = whichAreLost(
    new Map([[0, "original"]]),
    () => new Promise((resolve) => setTimeout(() => resolve(isStored), originalMs)),
  );
  await vi.advanceTimersByTimeAsync(originalMs);
  return await lost;
}

it("waits for an original that a frozen log gives up to the spill after 250 ms", async () => {
  expect(await lostAfter(250 + 100, true)).toEqual(new Set());
  expect(await lostAfter(250 + 100, false)).toEqual(new Set([0]));
});

it("takes an original for lost that nobody has stored in a second", async () => {
  expect(await lostAfter(1_001, true)).toEqual(new Set([0]));
});
