import fc from "fast-check";
import { expect, it } from "vitest";
import type { FieldRules } from "./field.ts";
import { checkFieldValues } from "./field-values.ts";

function aField(given: Partial<FieldRules> & { readonly id: string }): FieldRules {
  return {
    key: given.id.replace("field_", ""),
    type: "Text",
    isRequired: false,
    isPublisherOnly: false,
    options: [],
    maxLength: null,
    image: null,
    min: null,
    max: null,
    default: "",
    ...given,
  };
}

const TAGLINE = aField({ id: "field_tagline", isRequired: true });
const SEATS = aField({ id: "field_seats", type: "Number", min: 1, default: "4" });
const RANKING = aField({ id: "field_ranking", type: "Number", isPublisherOnly: true, isRequired: true });

it("returns the content by field id, a default where a field is not mentioned", () => {
  const checked = checkFieldValues(
    [TAGLINE, SEATS],
    [{ fieldId: "field_tagline", value: " Fresh beans " }],
    "advertiser",
  );

  expect(checked).toEqual({ ok: true, meta: { field_tagline: "Fresh beans", field_seats: 4 } });
});

it.each([null, "", "   ", undefined])(
  "leaves an optional field empty when it is mentioned as %j",
  (value) => {
    const checked = checkFieldValues([SEATS], [{ fieldId: "field_seats", value }], "advertiser");

    expect(checked).toEqual({ ok: true, meta: {} });
  },
);

it.each([null, "", " \n "])("refuses %j for a required field, default or not", (value) => {
  const rules = [aField({ id: "field_cta", isRequired: true, default: "Read more" })];

  const checked = checkFieldValues(rules, [{ fieldId: "field_cta", value }], "advertiser");

  expect(checked).toEqual({ ok: false, fieldErrors: { "meta.cta": ["This field is required."] } });
});

it("wants a required field mentioned, a Switch too, unless its default gives it content", () => {
  const rules = [
    TAGLINE,
    aField({ id: "field_terms", type: "Switch", isRequired: true }),
    aField({ id: "field_dark", type: "Switch", isRequired: true, default: "false" }),
  ];

  const checked = checkFieldValues(rules, [], "advertiser");

  expect(checked).toEqual({
    ok: false,
    fieldErrors: {
      "meta.tagline": ["This field is required."],
      "meta.terms": ["This field is required."],
    },
  });
});

it("takes false for a required Switch and 0 for a required Number: they are content", () => {
  const rules = [
    aField({ id: "field_dark", type: "Switch", isRequired: true }),
    aField({ id: "field_seats", type: "Number", isRequired: true }),
  ];

  const checked = checkFieldValues(
    rules,
    [
      { fieldId: "field_dark", value: false },
      { fieldId: "field_seats", value: 0 },
    ],
    "advertiser",
  );

  expect(checked).toEqual({ ok: true, meta: { field_dark: false, field_seats: 0 } });
});

it("takes publisher-only fields from the publisher alone, who may leave any of them as it is", () => {
  const values = [{ fieldId: "field_ranking", value: 1 }];

  expect(checkFieldValues([RANKING], [], "advertiser")).toEqual({ ok: true, meta: {} });
  expect(checkFieldValues([RANKING], values, "advertiser")).toEqual({
    ok: false,
    fieldErrors: { "meta.ranking": ["This field is set by the publisher."] },
  });
  expect(checkFieldValues([RANKING, TAGLINE], [], "publisher")).toEqual({ ok: true, meta: {} });
  expect(checkFieldValues([RANKING], values, "publisher")).toEqual({ ok: true, meta: { field_ranking: 1 } });
  expect(
    checkFieldValues(
      [RANKING, TAGLINE],
      [
        { fieldId: "field_ranking", value: null },
        { fieldId: "field_tagline", value: "Fresh" },
      ],
      "publisher",
    ),
  ).toEqual({
    ok: false,
    fieldErrors: {
      "meta.ranking": ["This field is required."],
      "meta.tagline": ["This field is set by the advertiser."],
    },
  });
});

it("tells everything that is wrong at once: unknown fields by a bounded id, repetitions, wrong values", () => {
  const checked = checkFieldValues(
    [TAGLINE, SEATS],
    [
      { fieldId: "field_seats", value: "four" },
      { fieldId: "field_seats", value: 4 },
      { fieldId: "x".repeat(1_000), value: 1 },
      { fieldId: "__proto__", value: 1 },
    ],
    "advertiser",
  );

  expect(checked).toEqual({
    ok: false,
    fieldErrors: {
      "meta.seats": ["Must be a number.", "The field is mentioned twice."],
      [`meta.${"x".repeat(64)}`]: ["There is no such field."],
      "meta.__proto__": ["There is no such field."],
      "meta.tagline": ["This field is required."],
    },
  });
});

it("returns, for any values whatever, either content of known fields alone or errors at meta paths", () => {
  const rules = [TAGLINE, SEATS, RANKING];
  const values = fc.array(
    fc.record({
      fieldId: fc.oneof(fc.constantFrom(...rules.map(({ id }) => id)), fc.string({ unit: "binary" })),
      value: fc.anything(),
    }),
    { maxLength: 6 },
  );

  fc.assert(
    fc.property(values, fc.constantFrom("advertiser", "publisher"), (given, audience) => {
      const checked = checkFieldValues(rules, given, audience);

      if (checked.ok) {
        const allowed = rules.filter((rule) => rule.isPublisherOnly === (audience === "publisher"));
        expect(allowed.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(checked.meta)));
        if (audience === "advertiser") expect(checked.meta).toHaveProperty("field_tagline");
      } else {
        expect(Object.keys(checked.fieldErrors).length).toBeGreaterThan(0);
        expect(
          Object.keys(checked.fieldErrors).every((path) => path.startsWith("meta.") && path.isWellFormed()),
        ).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});
