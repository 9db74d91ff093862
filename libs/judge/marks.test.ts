import { expect, it } from "vitest";
import { markKeysOf } from "./marks.ts";
import { anEvent, NOON } from "./suite/events.ts";

it("spreads the marks of a visitor who is seen without a pause over the whole table, where each search stays short", () => {
  const places = Array.from({ length: 10_000 }, (_, span) => {
    const keys = markKeysOf(anEvent({ kind: "click", occurredAt: NOON + span * 2_000 }));
    return (keys?.own.low ?? 0) & 0xfffff;
  });

  const stretches = new Set(places.map((place) => place >> 6));

  // Of 16,384 stretches of 64 entries; chance alone reaches 7,480 of them, and a single row of marks 157.
  expect(new Set(places).size).toBeGreaterThan(9_900);
  expect(stretches.size).toBeGreaterThan(7_000);
});
