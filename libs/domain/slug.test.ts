import fc from "fast-check";
import { expect, it } from "vitest";
import { SLUG, slugFromName } from "./slug.ts";

const anyName = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.lorem(), fc.string());

it.each([
  ["Northwind Coffee", "northwind-coffee"],
  ["  Café -- Zürich!  ", "cafe-zurich"],
  ["The 1,000 Tips Blog", "the-1-000-tips-blog"],
  ["東京コーヒー", "workspace"],
  ["2024", "workspace-2024"],
  ["A", "workspace-a"],
  ["x".repeat(80), "x".repeat(60)],
  [`${"x".repeat(59)} yy`, "x".repeat(59)],
])("makes of %j the slug %s", (name, slug) => {
  expect(slugFromName(name)).toBe(slug);
});

it("appends the ending of a further attempt within the length", () => {
  expect(slugFromName("Northwind Coffee", "2")).toBe("northwind-coffee-2");
  expect(slugFromName("x".repeat(80), "12")).toBe(`${"x".repeat(57)}-12`);
});

it("gives any name whatever a slug of the right form", () => {
  fc.assert(
    fc.property(anyName, fc.stringMatching(/^[a-z0-9]{0,8}$/), (name, ending) => {
      const slug = slugFromName(name, ending);

      expect(slug).toMatch(SLUG);
      expect(slug.length).toBeGreaterThanOrEqual(2);
      expect(slug.length).toBeLessThanOrEqual(60);
    }),
  );
});
