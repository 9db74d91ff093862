import { expect, it } from "vitest";
import { type PreviewField, previewAd, recommendedSize, sampleAd } from "./preview.ts";

function aField(key: string, changes: Partial<PreviewField> = {}): PreviewField {
  const nothing = { placeholder: "", maxLength: null, isPublisherOnly: false, image: null };
  return { id: `field_${key}`, key, type: "Text", ...nothing, ...changes };
}

const SIZE = { width: 600, height: 500, ratio: null, minWidth: null, minHeight: null };
const FIELDS = [
  aField("tagline", { maxLength: 12 }),
  aField("image", { type: "Image", image: SIZE }),
  aField("note", { isPublisherOnly: true }),
];

it("shows an ad that is not served yet with the values that serving would have", () => {
  const values = { field_tagline: "Roasted", field_note: "Secret", field_deleted: "Old" };

  expect(
    previewAd({ name: "Coffee", websiteUrl: "https://a.example", faviconUrl: null, values }, FIELDS),
  ).toEqual({
    id: "",
    name: "Coffee",
    websiteUrl: "https://a.example",
    faviconUrl: "",
    weight: 1,
    meta: { tagline: "Roasted" },
  });
});

it("makes up an ad with the fields that there are", () => {
  expect(sampleAd(FIELDS, "https://b.example/sample.svg").meta).toEqual({
    tagline: "One line abo",
    image: "https://b.example/sample.svg",
  });
  expect(sampleAd([], "https://b.example/sample.svg").meta).toEqual({});
  expect(recommendedSize(FIELDS)).toBe("600x500");
  expect(recommendedSize([aField("image", { type: "Image" })])).toBe(undefined);
});
