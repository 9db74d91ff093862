import { expect, it } from "vitest";
import { inPieces, inRounds } from "./pieces.ts";

it("gives the items in order, with a round of the event loop between two pieces", async () => {
  const seen: unknown[] = [];
  const between = () => seen.push("another");

  for await (const piece of inPieces([1, 2, 3, 4, 5], 2)) {
    seen.push(piece);
    setImmediate(between);
  }

  expect(seen).toEqual([[1, 2], "another", [3, 4], "another", [5]]);
});

it("gives nothing of nothing", async () => {
  const pieces = [];
  for await (const piece of inPieces([], 2)) pieces.push(piece);

  expect(pieces).toEqual([]);
});

it("gives others a round whenever items have held the event loop for long", async () => {
  const seen: unknown[] = [];
  for await (const item of inRounds([1, 2, 3])) {
    seen.push(item);
    if (item !== 2) continue;
    setImmediate(() => seen.push("another"));
    const since = performance.now();
    while (performance.now() - since < 15);
  }

  expect(seen).toEqual([1, 2, "another", 3]);
});

it("holds the event loop for one at a time, however many work in rounds", async () => {
  const rounds: number[] = [];
  let held = 0;
  const count = () => {
    rounds.push(held);
    held = 0;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const work = async () => {
    for await (const _item of inRounds([1, 2, 3])) {
      held += 1;
      const since = performance.now();
      while (performance.now() - since < 12);
    }
  };

  await Promise.all([work(), work(), work(), work()]);
  clearImmediate(next);

  // All begin in the first round.
  const [first, ...later] = rounds;
  expect(first).toBe(4);
  expect(Math.max(...later)).toBe(1);
});
