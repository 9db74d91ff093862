import { expect, it } from "vitest";
import {
  checkImageRules,
  IMAGE_RATIO,
  type ImageRules,
  imageRulesWords,
  imageSizeProblem,
} from "./image-rules.ts";

const NONE: ImageRules = { width: null, height: null, ratio: null, minWidth: null, minHeight: null };

it.each<[Partial<ImageRules>, number, number, string | null]>([
  [{}, 1, 1, null],
  [{ width: 300, height: 250 }, 10, 10, null],
  [{ minWidth: 300, minHeight: 250 }, 300, 250, null],
  [
    { minWidth: 300, minHeight: 250 },
    299,
    250,
    "The image has 299 × 250 pixels; it must have at least 300 × 250 pixels.",
  ],
  [
    { minHeight: 250 },
    900,
    249,
    "The image has 900 × 249 pixels; it must have at least 250 pixels in height.",
  ],
  [{ ratio: "6:5" }, 600, 500, null],
  [{ ratio: "6:5" }, 617, 500, null],
  [{ ratio: "6:5" }, 620, 500, "The image has 620 × 500 pixels; its ratio must be 6:5."],
  [{ ratio: "1.91:1" }, 1200, 628, null],
])("judges an image by %j: %i × %i", (rules, width, height, problem) => {
  expect(imageSizeProblem({ ...NONE, ...rules }, { width, height })).toBe(problem);
});

it("says all that it asks for, and nothing where it asks for nothing", () => {
  expect(imageRulesWords(NONE)).toBe("");
  expect(imageRulesWords({ width: 600, height: 500, ratio: "6:5", minWidth: 300, minHeight: null })).toBe(
    "Recommended: 600 × 500 pixels. Ratio 6:5. At least 300 pixels in width.",
  );
});

it("finds rules that contradict each other", () => {
  expect(checkImageRules({ width: 600, height: 500, ratio: "6:5", minWidth: 600, minHeight: 500 })).toEqual(
    {},
  );
  expect(
    Object.keys(
      checkImageRules({ width: 600, height: 500, ratio: "16:9", minWidth: 601, minHeight: 501 }),
    ).sort(),
  ).toEqual(["minHeight", "minWidth", "ratio"]);
});

it.each(["16:9", "1.91:1", "1:1", "1000:1"])("reads the ratio %s", (text) => {
  expect(IMAGE_RATIO.test(text)).toBe(true);
});

it.each(["0:1", "1:0", "0.00:1", "1:0.0", "16/9", "16", ":", "-1:1", "1:1:1", "1e3:1"])(
  "knows no ratio %s",
  (text) => {
    expect(IMAGE_RATIO.test(text)).toBe(false);
  },
);
