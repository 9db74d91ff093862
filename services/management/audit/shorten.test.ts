import { expect, it } from "vitest";
import { shortened } from "./shorten.ts";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

it("keeps ordinary values whole, the longest note and address among them", () => {
  const values = { rejectionNote: "n".repeat(500), websiteUrl: `https://a.example/${"x".repeat(2_000)}` };

  expect(shortened(values)).toBe(values);
});

it("cuts a long text and says how long it is", () => {
  const { name, description } = shortened({ name: "Tagline", description: "字".repeat(2_000) });

  expect(name).toBe("Tagline");
  expect(description).toBe(`${"字".repeat(170)}… (2,000 characters)`);
});

it("keeps the first of many options, and says how many more there are", () => {
  const options = Array.from({ length: 100 }, (_, n) => `${n} ${"字".repeat(190)}`);

  const { options: kept } = shortened({ options });

  expect(kept).toEqual([expect.stringMatching(/^0 字+… \(192 characters\)$/), "… and 99 more"]);
});

it("keeps an entry small, whatever its values are", () => {
  const long = "字".repeat(20_000);
  const values = {
    name: "Example Coffee",
    meta: Array.from({ length: 200 }, (_, n) => ({ fieldId: `field_${n}`, value: long })),
    nested: { a: { b: { c: [long, long], d: long } }, e: long },
    many: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key${n}`, n])),
    escaped: "\u0001".repeat(5_000),
  };

  const kept = shortened(values);

  expect(kept).toMatchObject({
    name: "Example Coffee",
    many: { key0: 0, "…": expect.stringMatching(/^and \d+ more$/) },
  });
  expect(bytesOf(kept)).toBeLessThan(6_000);
});
