import { describe, expect, it } from "vitest";
import type { FieldType } from "#libs/domain/field.ts";
import { draftOfCreative, draftOfForm, newDraft, submissionOfForm } from "./draft.ts";

function aField(type: FieldType, key = "one", initial = "") {
  return { id: `field_${key}`, key, type, default: initial };
}

describe("a form as the contract takes it", () => {
  it.each<[FieldType, string, unknown]>([
    ["Text", " tea ", " tea "],
    ["Text", "  ", null],
    ["Textarea", "one\r\ntwo", "one\r\ntwo"],
    ["Number", "12.5", 12.5],
    ["Number", "-3", -3],
    ["Number", " 7 ", 7],
    ["Number", "1e3", 1000],
    ["Number", "0x10", "0x10"],
    ["Number", "twelve", "twelve"],
    ["Number", ".5", 0.5],
    ["Number", "5.", 5],
    ["Number", ".", "."],
    ["Number", "1e", "1e"],
    ["Number", "1".repeat(401), "1".repeat(401)],
    ["Number", `${"1".repeat(100_000)}x`, `${"1".repeat(100_000)}x`],
    ["Number", "", null],
    ["Switch", "true", true],
    ["Switch", "false", false],
    ["Switch", "maybe", "maybe"],
    ["Select", "Left", "Left"],
    ["Color", "#fff", "#fff"],
  ])("makes of a %s with %j %j", (type, text, value) => {
    const form = new URLSearchParams({ name: "Tea", websiteUrl: " https://tea.example ", "meta.one": text });

    expect(submissionOfForm(form, [aField(type)])).toEqual({
      name: "Tea",
      websiteUrl: "https://tea.example",
      meta: [{ fieldId: "field_one", value }],
    });
  });

  it("believes a ticked box over the hidden no in front of it", () => {
    const form = new URLSearchParams([
      ["meta.one", "false"],
      ["meta.one", "true"],
    ]);

    expect(submissionOfForm(form, [aField("Switch")]).meta).toEqual([{ fieldId: "field_one", value: true }]);
  });

  it("does not mention a field that the form did not have, and ignores values of unknown fields", () => {
    const form = new URLSearchParams({ name: "Tea", "meta.other": "x", constructor: "y" });

    expect(submissionOfForm(form, [aField("Text")])).toEqual({ name: "Tea", websiteUrl: "", meta: [] });
  });
});

it("shows a sent form again, wrong values included", () => {
  const form = new URLSearchParams({ name: " x", websiteUrl: "javascript:", "meta.one": "twelve" });

  expect(draftOfForm(form, [aField("Number"), aField("Text", "two", "old")])).toEqual({
    name: " x",
    websiteUrl: "javascript:",
    values: new Map([
      ["one", "twelve"],
      ["two", "old"],
    ]),
  });
});

it("begins with the defaults, and an edit with the current values", () => {
  const fields = [aField("Number", "one", "3"), aField("Switch", "two", "true"), aField("Text", "three")];
  const meta = { field_one: 0, field_two: false, field_gone: "x" };

  expect(newDraft(fields).values.get("one")).toBe("3");
  expect(
    draftOfCreative({ name: "Tea", website_url: "https://tea.example", meta, images_elsewhere: {} }, fields),
  ).toEqual({
    name: "Tea",
    websiteUrl: "https://tea.example",
    values: new Map([
      ["one", "0"],
      ["two", "false"],
      ["three", ""],
    ]),
  });
});
