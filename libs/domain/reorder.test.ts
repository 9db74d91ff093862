import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FieldMove, reorderFields } from "./reorder.ts";

/** Every field gets a position: the mentioned the first free one from their target on, the rest fill the gaps. */
function naiveOrder(current: readonly string[], moves: readonly FieldMove[]): string[] {
  const positions = new Map<number, string>();
  for (const { id, order } of [...moves].sort((a, b) => a.order - b.order)) {
    let position = order;
    while (positions.has(position)) position += 1;
    positions.set(position, id);
  }
  let gap = 0;
  for (const id of current.filter((one) => !moves.some((move) => move.id === one))) {
    while (positions.has(gap)) gap += 1;
    positions.set(gap, id);
  }
  return [...positions].sort(([a], [b]) => a - b).map(([, id]) => id);
}

const someMoves = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 })
  .chain((current) =>
    fc.tuple(
      fc.constant(current),
      fc
        .shuffledSubarray(current)
        .chain((ids) =>
          fc.tuple(
            ...ids.map((id) =>
              fc.record({ id: fc.constant(id), order: fc.oneof(fc.nat(12), fc.maxSafeNat()) }),
            ),
          ),
        ),
    ),
  );

describe("worked examples", () => {
  const current = ["a", "b", "c", "d"];

  it.each<[string, FieldMove[], string]>([
    ["nothing mentioned", [], "abcd"],
    ["one to the front", [{ id: "d", order: 0 }], "dabc"],
    ["one to the middle", [{ id: "a", order: 2 }], "bcad"],
    ["one where it is", [{ id: "b", order: 1 }], "abcd"],
    ["one beyond the end", [{ id: "a", order: 9_007_199_254_740_991 }], "bcda"],
    [
      "sparse targets of all",
      [
        { id: "a", order: 30 },
        { id: "b", order: 10 },
        { id: "c", order: 20 },
        { id: "d", order: 0 },
      ],
      "dbca",
    ],
    [
      "equal targets, in the order of mention",
      [
        { id: "d", order: 1 },
        { id: "a", order: 1 },
      ],
      "bdac",
    ],
    [
      "two that swap",
      [
        { id: "a", order: 3 },
        { id: "d", order: 0 },
      ],
      "dbca",
    ],
  ])("%s", (_what, moves, expected) => {
    expect(reorderFields(current, moves).join("")).toBe(expected);
  });
});

it("agrees with a naive model, loses nothing and keeps the unmentioned in their relative order", () => {
  fc.assert(
    fc.property(someMoves, ([current, moves]) => {
      const ordered = reorderFields(current, moves);

      expect(ordered).toEqual(naiveOrder(current, moves));
      expect([...ordered].sort()).toEqual([...current].sort());
      const isStaying = (id: string) => !moves.some((move) => move.id === id);
      expect(ordered.filter(isStaying)).toEqual(current.filter(isStaying));
    }),
    { numRuns: 1_000 },
  );
});

it("puts every field exactly at its target where the targets are distinct and within the list", () => {
  fc.assert(
    fc.property(someMoves, ([current, moves]) => {
      const distinct = moves.filter(
        ({ order }, index) =>
          order < current.length && moves.findIndex((move) => move.order === order) === index,
      );

      const ordered = reorderFields(current, distinct);

      for (const { id, order } of distinct) expect(ordered[order]).toBe(id);
    }),
  );
});

it("refuses an id that is unknown or mentioned twice", () => {
  expect(() => reorderFields(["a"], [{ id: "b", order: 0 }])).toThrow(RangeError);
  expect(() =>
    reorderFields(
      ["a"],
      [
        { id: "a", order: 0 },
        { id: "a", order: 1 },
      ],
    ),
  ).toThrow(RangeError);
});
