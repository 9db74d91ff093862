import { expect, it } from "vitest";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import {
  checkField,
  draftOfField,
  EMPTY_FIELD,
  type FieldDraft,
  keyOf,
  previewOf,
  withType,
} from "./field-draft.ts";

const NONE: ReadonlySet<string> = new Set();
const tagline = { ...EMPTY_FIELD, name: " Tagline ", maxLength: "60", placeholder: "In one sentence" };

it("sends a field with a key made from its name", () => {
  expect(checkField(tagline, new Set(["tagline"]))).toEqual({
    input: {
      name: "Tagline",
      type: "Text",
      key: "tagline_2",
      description: "",
      default: "",
      image: null,
      placeholder: "In one sentence",
      isRequired: false,
      isPublisherOnly: false,
      options: [],
      maxLength: 60,
      min: null,
      max: null,
    },
  });
});

it.each(FIELD_TYPES)("sends for a %s only the settings of its type", (type) => {
  const draft = withType({ ...tagline, options: ["Left", " Right "], min: "1", max: "2,5" }, type);

  const checked = checkField(draft, NONE);

  const isText = type === "Text" || type === "Textarea";
  expect(checked).toMatchObject({
    input: {
      type,
      options: type === "Select" ? ["Left", "Right"] : [],
      maxLength: isText ? 60 : null,
      min: type === "Number" ? 1 : null,
      max: type === "Number" ? 2.5 : null,
    },
  });
});

it.each([
  ["a blank name", { name: " " }, { name: "Enter a name." }],
  ["a key that is taken", { key: "color" }, { key: "Another field has this key." }],
  [
    "a length that is not a number",
    { maxLength: "many" },
    { maxLength: "Enter a number, or leave it empty." },
  ],
  [
    "a length above the maximum",
    { maxLength: "501" },
    { maxLength: "Must be a whole number from 1 to 500." },
  ],
  [
    "limits the wrong way round",
    { type: "Number" as const, min: "5", max: "1" },
    { max: "Must not be less than the minimum." },
  ],
  [
    "a repeated option",
    { type: "Select" as const, options: ["Left", "Left", ""] },
    { "options.1": "The option is there twice.", "options.2": "Must not be empty." },
  ],
  [
    "a default of the wrong type",
    { type: "Date" as const, default: "2026-02-30" },
    { default: "Must be a day, as YYYY-MM-DD." },
  ],
])("rejects %s", (_what, changes, errors) => {
  expect(checkField({ ...tagline, ...changes }, new Set(["color"]))).toEqual({ errors });
});

it("rejects a malformed key", () => {
  expect(checkField({ ...tagline, key: "Tag-line" }, NONE)).toHaveProperty("errors.key");
});

it("resets the default when the type changes, and keeps the other values", () => {
  const draft = { ...tagline, options: ["Left", "Right"], default: "Fresh bread" };

  expect(withType(draft, "Select")).toEqual({ ...draft, type: "Select", default: "" });
  expect(withType(draft, "Text")).toBe(draft);
});

it("does not change a field that nobody edited", () => {
  const values = {
    name: "Side",
    type: "Select" as const,
    key: "side",
    description: "Where it appears.",
    default: "Left",
    placeholder: "Choose",
    isRequired: true,
    isPublisherOnly: true,
    options: ["Left", "Right"],
    maxLength: null,
    image: null,
    min: null,
    max: null,
  };
  const at = "2026-11-21T09:30:00.000Z";
  const field = { id: "field_1", order: 0, workspaceId: "ws_1", createdAt: at, updatedAt: at, ...values };

  expect(checkField(draftOfField(field), NONE)).toEqual({ input: values });
});

it("previews an unfinished draft", () => {
  const draft = withType({ ...EMPTY_FIELD, options: ["Left", "", "Left"], min: "x" }, "Select");

  expect(previewOf(draft)).toMatchObject({ name: "Field name", options: ["Left"], min: null });
});

it("derives the key from the name unless one is given", () => {
  expect(keyOf({ ...EMPTY_FIELD, name: "Call to action" }, NONE)).toBe("call_to_action");
  expect(keyOf({ ...EMPTY_FIELD, name: "Call to action", key: "cta" }, NONE)).toBe("cta");
});

it("reads what an image field asks of its images, and asks nothing where all is left empty", () => {
  const image: FieldDraft = { ...EMPTY_FIELD, type: "Image", name: "Banner" };
  const asked = { width: "600", height: " 500 ", ratio: "6 : 5", minWidth: "300", minHeight: "" };

  expect(checkField({ ...image, image: asked }, NONE)).toMatchObject({
    input: { image: { width: 600, height: 500, ratio: "6:5", minWidth: 300, minHeight: null } },
  });
  expect(checkField(image, NONE)).toMatchObject({ input: { image: null } });
  expect(checkField({ ...image, type: "Text", image: asked }, NONE)).toMatchObject({
    input: { image: null },
  });
  expect(checkField({ ...image, image: { ...asked, width: "wide", minHeight: "900" } }, NONE)).toEqual({
    errors: { "image.width": "Enter a whole number, or leave it empty." },
  });
  expect(checkField({ ...image, image: { ...asked, minHeight: "900" } }, NONE)).toEqual({
    errors: { "image.minHeight": "Must not be more than the recommended height." },
  });
});
