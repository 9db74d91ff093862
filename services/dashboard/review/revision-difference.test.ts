import { expect, it } from "vitest";
import { aField } from "../tests/test-ads.ts";
import { compareCreatives } from "./revision-difference.ts";

const tagline = aField({ id: "tagline", name: "Tagline", order: 1 });
const logo = aField({ id: "logo", name: "Logo", type: "Image", order: 0 });
const size = aField({ id: "size", type: "Number", order: 2 });
const internal = aField({ id: "internal", isPublisherOnly: true, order: 3 });
const fields = [internal, tagline, size, logo];

const running = {
  name: "Example Coffee",
  websiteUrl: "https://coffee.example",
  meta: [
    { fieldId: "tagline", value: "Roasted this morning" },
    { fieldId: "internal", value: "Pays late" },
    { fieldId: "size", value: 0 },
  ],
};

it("lists the changes in the order of the form", () => {
  const changes = compareCreatives(
    running,
    {
      ...running,
      name: "Example Roastery",
      meta: [
        { fieldId: "logo", value: "https://coffee.example/logo.png" },
        { fieldId: "size", value: 0 },
      ],
    },
    fields,
  );

  expect(changes.map(({ key, kind }) => [key, kind])).toEqual([
    ["name", "changed"],
    ["websiteUrl", "same"],
    ["logo", "added"],
    ["tagline", "removed"],
    ["size", "same"],
  ]);
  expect(changes[3]).toMatchObject({ label: "Tagline", before: "Roasted this morning", after: undefined });
});

it("leaves out publisher-only fields, which a revision does not touch", () => {
  const changes = compareCreatives(running, { ...running, meta: [] }, fields);

  expect(changes.map(({ key }) => key)).not.toContain("internal");
});

it("treats blank text as empty", () => {
  const blank = { ...running, meta: [{ fieldId: "tagline", value: "  " }] };

  const changes = compareCreatives(blank, { ...running, meta: [] }, fields);

  expect(changes.map(({ key }) => key)).toEqual(["name", "websiteUrl"]);
});
