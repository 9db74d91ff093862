import fc from "fast-check";
import { expect, it } from "vitest";
import { FIELD_KEY, fieldKeyFromName } from "./field-key.ts";

const anyName = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.lorem(), fc.string());

it.each([
  ["Call to action", "call_to_action"],
  ["Größe (Übersicht)", "grosse_ubersicht"],
  ["Baker's choice", "bakers_choice"],
  ["Łódź Ærø", "lodz_aero"],
  ["ﬁne №1", "fine_no1"],
  ["2nd line", "field_2nd_line"],
  ["東京", "field"],
  ["", "field"],
  ["\u0000\ud800", "field"],
  ["x".repeat(80), "x".repeat(40)],
  [`${"x".repeat(39)} y`, "x".repeat(39)],
])("makes of %j the key %s", (name, key) => {
  expect(fieldKeyFromName(name, new Set())).toBe(key);
});

it("numbers a key that is taken, within the length a key may have", () => {
  const taken = new Set(["tagline", "tagline_2", "x".repeat(40)]);

  expect(fieldKeyFromName("Tagline", taken)).toBe("tagline_3");
  expect(fieldKeyFromName("x".repeat(50), taken)).toBe(`${"x".repeat(38)}_2`);
});

it("gives any names whatever keys of the right form that differ", () => {
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 20 }), (names) => {
      const taken = new Set<string>();

      for (const name of names) taken.add(fieldKeyFromName(name, taken));

      expect(taken.size).toBe(names.length);
      expect([...taken].every((key) => FIELD_KEY.test(key))).toBe(true);
    }),
  );
});
