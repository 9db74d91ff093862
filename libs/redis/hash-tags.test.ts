import { expect, it } from "vitest";
import { slotOf, spreadTags } from "./hash-tags.ts";

it.each([
  ["123456789", 0x31c3],
  ["foo", 12_182],
  ["judge", 2_135],
])("knows the slot of %s", (key, slot) => {
  expect(slotOf(key)).toBe(slot);
});

it.each([1, 12, 24, 48])("spreads %d tags evenly over the slots", (count) => {
  const tags = spreadTags(count);

  const parts = tags.map((tag) => Math.floor((slotOf(tag) * count) / 16_384));
  expect(parts).toEqual(Array.from({ length: count }, (_, part) => part));
  expect(spreadTags(count)).toEqual(tags);
});
