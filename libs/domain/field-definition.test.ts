import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELD_TYPES, type FieldType } from "./field.ts";
import { checkFieldDefinition, type FieldDefinition } from "./field-definition.ts";
import { checkFieldValues } from "./field-values.ts";

function aDefinition(type: FieldType, given: Partial<FieldDefinition> = {}): FieldDefinition {
  return { type, options: [], maxLength: null, min: null, max: null, image: null, default: "", ...given };
}

const NO_IMAGE_RULES = { width: null, height: null, ratio: null, minWidth: null, minHeight: null };

const SOUND: readonly [FieldType, Partial<FieldDefinition>][] = [
  ["Text", { maxLength: 500, default: "Read more" }],
  ["Textarea", { maxLength: 10_000 }],
  ["Number", { min: -1.5, max: -1.5, default: "-1.5" }],
  ["Switch", { default: "true" }],
  ["Select", { options: ["Left", "Right"], default: "Right" }],
  ["Color", { default: "#F80" }],
  ["Date", { default: "2024-02-29" }],
  ["Image", { image: { width: 600, height: 500, ratio: "6:5", minWidth: 300, minHeight: 250 } }],
];

const BROKEN: readonly [FieldType, Partial<FieldDefinition>, string][] = [
  ["Select", {}, "options"],
  ["Select", { options: ["Left", " "] }, "options.1"],
  ["Select", { options: ["Left", "Right", "Left"] }, "options.2"],
  ["Select", { options: ["null\u0000byte"] }, "options.0"],
  ["Select", { options: ["x".repeat(201)] }, "options.0"],
  ["Select", { options: Array.from({ length: 101 }, String) }, "options"],
  ["Text", { options: ["Left"] }, "options"],
  ["Text", { image: NO_IMAGE_RULES }, "image"],
  ["Image", { image: { ...NO_IMAGE_RULES, width: 600, minWidth: 601 } }, "image.minWidth"],
  ["Image", { image: { ...NO_IMAGE_RULES, width: 600, height: 500, ratio: "1:1" } }, "image.ratio"],
  ["Number", { maxLength: 5 }, "maxLength"],
  ["Text", { maxLength: 0 }, "maxLength"],
  ["Text", { maxLength: 1.5 }, "maxLength"],
  ["Text", { maxLength: 501 }, "maxLength"],
  ["Text", { min: 1 }, "min"],
  ["Date", { max: 1 }, "max"],
  ["Number", { min: 2, max: 1 }, "max"],
  ["Number", { min: Number.NaN }, "min"],
  ["Text", { maxLength: 3, default: "four" }, "default"],
  ["Number", { max: 3, default: "4" }, "default"],
  ["Number", { default: "0x10" }, "default"],
  ["Number", { default: "9".repeat(400) }, "default"],
  ["Switch", { default: "yes" }, "default"],
  ["Select", { options: ["Left"], default: "Right" }, "default"],
  ["Url", { default: "javascript:alert(1)" }, "default"],
];

describe("what a field may be", () => {
  it.each(SOUND)("finds nothing wrong with a %s with %j", (type, given) => {
    expect(checkFieldDefinition(aDefinition(type, given))).toEqual({});
  });

  it.each(BROKEN)("refuses a %s with %j at %s", (type, given, path) => {
    expect(checkFieldDefinition(aDefinition(type, given))).toEqual({ [path]: [expect.any(String)] });
  });
});

it("lets no default through that a submission would then be refused for", () => {
  const definition = fc.record({
    type: fc.constantFrom(...FIELD_TYPES),
    options: fc.array(fc.string(), { maxLength: 2 }),
    maxLength: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 1 }),
    min: fc.option(fc.integer({ min: -5, max: 5 }), { freq: 1 }),
    max: fc.option(fc.integer({ min: -5, max: 5 }), { freq: 1 }),
    image: fc.constant(null),
    default: fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom("true", "#abc", "2024-01-31")),
  });

  fc.assert(
    fc.property(definition, (given) => {
      fc.pre(Object.keys(checkFieldDefinition(given)).length === 0);
      const rule = { ...given, id: "field_1", key: "one", isRequired: false, isPublisherOnly: false };

      expect(checkFieldValues([rule], [], "advertiser").ok).toBe(true);
    }),
    { numRuns: 500 },
  );
});
