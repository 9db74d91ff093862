import { expect, it } from "vitest";
import {
  checkFieldSizes,
  MOST_VALUE_BYTES,
  type SizedField,
  valueBytes,
  valuesProblem,
} from "./value-bytes.ts";

const KIB = 1024;

function aField(given: Partial<SizedField> & { readonly id: string }): SizedField {
  const texts = { name: given.id, description: "", default: "", options: [] };
  return { type: "Textarea", isPublisherOnly: false, ...texts, ...given };
}

it("counts the bytes of the values' JSON, an emoji four", () => {
  expect(valueBytes({ field_a: "💥", field_b: 1 })).toBe(Buffer.byteLength('"field_a":"💥","field_b":1,'));
});

it("takes values up to the limit, and beyond it names the largest in a sentence", () => {
  const rest = valueBytes({ field_a: "", field_b: "" });

  expect(valuesProblem({ field_a: "", field_b: "x".repeat(MOST_VALUE_BYTES - rest) })).toBeNull();
  expect(valuesProblem({ field_a: "y", field_b: "x".repeat(MOST_VALUE_BYTES - rest) })).toEqual({
    fieldId: "field_b",
    sentence: "All values of an ad may take 32 KiB together. These take 33 KiB, and this one is the longest.",
  });
});

it("adds up the defaults of one side, and names the field that has most of them", () => {
  const long = aField({ id: "Story", default: "x".repeat(20 * KIB) });
  const added = aField({ id: "Summary", default: "x".repeat(13 * KIB) });

  expect(checkFieldSizes([long], undefined, added)).toEqual({
    default: [
      "The default values of all fields may take 32 KiB together. They would take 34 KiB, most of them in “Story”.",
    ],
  });
  expect(checkFieldSizes([long], undefined, { ...added, isPublisherOnly: true })).toEqual({});
});

it("adds up the texts and options of all fields", () => {
  const options = Array.from({ length: 60 }, (_, index) => `${index}${"💥".repeat(190)}`);
  const others = ["A", "B"].map((id) => aField({ id, type: "Select", options }));

  const bySelect = checkFieldSizes(others, undefined, aField({ id: "C", type: "Select", options }));
  const byText = checkFieldSizes(others, undefined, aField({ id: "C", description: "💥".repeat(12_000) }));

  expect(Object.keys(bySelect)).toEqual(["options"]);
  expect(Object.keys(byText)).toEqual(["description"]);
});

it("lets a field shrink whose workspace was over a limit before", () => {
  const others = [aField({ id: "Story", default: "x".repeat(50 * KIB) })];
  const before = aField({ id: "Summary", default: "x".repeat(10 * KIB) });

  expect(checkFieldSizes(others, before, { ...before, default: "x".repeat(9 * KIB) })).toEqual({});
  expect(checkFieldSizes(others, before, { ...before, name: "Synopsis" })).toEqual({});
  expect(Object.keys(checkFieldSizes(others, before, { ...before, default: "x".repeat(11 * KIB) }))).toEqual([
    "default",
  ]);
});
