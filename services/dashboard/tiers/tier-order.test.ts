import fc from "fast-check";
import { expect, it } from "vitest";
import { orderChanges, type PlacedTier } from "./tier-order.ts";

function placed(...orders: number[]): PlacedTier[] {
  return orders.map((order, index) => ({ id: `tier_${index}`, order }));
}

it("changes nothing if the tiers are in order", () => {
  expect(orderChanges(placed(0, 1, 2))).toEqual([]);
});

it("changes only the moved tier if there is room for it", () => {
  expect(orderChanges(placed(1, 2, 3, 0))).toEqual([{ id: "tier_3", order: 4 }]);
  expect(orderChanges(placed(10, 30, 20, 40))).toEqual([{ id: "tier_1", order: 11 }]);
});

it("moves the following tiers if there is no room", () => {
  expect(orderChanges(placed(2, 0, 1))).toEqual([
    { id: "tier_1", order: 3 },
    { id: "tier_2", order: 4 },
  ]);
});

it("gives tiers of equal order different ones", () => {
  expect(orderChanges(placed(0, 0, 0))).toEqual([
    { id: "tier_1", order: 1 },
    { id: "tier_2", order: 2 },
  ]);
});

it("puts any tiers in the wanted order, and sends only orders that change", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12), { maxLength: 12 }), (orders) => {
      const wanted = placed(...orders);

      const changes = new Map(orderChanges(wanted).map(({ id, order }) => [id, order]));

      const after = wanted.map(({ id, order }) => changes.get(id) ?? order);
      expect(after.every((order, index) => order > (after[index - 1] ?? -1))).toBe(true);
      expect(wanted.filter(({ id, order }) => changes.get(id) === order)).toEqual([]);
    }),
  );
});
