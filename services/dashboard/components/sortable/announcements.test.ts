import type { Active, Over } from "@dnd-kit/core";
import { expect, it } from "vitest";
import { announcementsFor } from "./announcements.ts";

const NAMES = new Map([
  ["a", "Gold"],
  ["b", "Silver"],
]);
const rect = { current: { initial: null, translated: null } };
const active: Active = { id: "b", data: { current: undefined }, rect };
const first: Over = {
  id: "a",
  data: { current: undefined },
  disabled: false,
  rect: { top: 0, left: 0, bottom: 0, right: 0, width: 0, height: 0 },
};

it("announces every step of a move with name and position", () => {
  const told = announcementsFor([...NAMES.keys()], (id) => NAMES.get(id) ?? "");

  expect([
    told.onDragStart({ active }),
    told.onDragOver({ active, over: first }),
    told.onDragOver({ active, over: null }),
    told.onDragEnd({ active, over: first }),
    told.onDragEnd({ active, over: null }),
    told.onDragCancel({ active, over: null }),
  ]).toEqual([
    "Silver picked up at position 2 of 2.",
    "Silver is at position 1 of 2.",
    "Silver is outside of the list.",
    "Silver dropped at position 1 of 2.",
    "Silver stays where it was.",
    "Silver stays at position 2 of 2.",
  ]);
});
