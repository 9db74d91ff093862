import { expect, it } from "vitest";
import { type ChosenFile, plainName, problemWith } from "./image-rules.ts";

const RULES = { types: ["image/png", "image/jpeg"], maxBytes: 1024 * 1024 };

it.each<[string, ChosenFile, string | null]>([
  ["an image", { type: "image/png", size: 1 }, null],
  ["the largest image", { type: "image/jpeg", size: RULES.maxBytes }, null],
  ["one byte more", { type: "image/png", size: RULES.maxBytes + 1 }, "it may have 1 MB at most"],
  ["an SVG", { type: "image/svg+xml", size: 1 }, "no image of a kind"],
  ["a page", { type: "text/html", size: 1 }, "no image of a kind"],
  ["a file of no known type", { type: "", size: 1 }, "no image of a kind"],
  ["nothing", { type: "image/png", size: 0 }, "empty"],
])("says of %s what is wrong with it", (_what, file, said) => {
  const problem = problemWith(file, RULES);

  if (said === null) expect(problem).toBeNull();
  else expect(problem).toContain(said);
});

it("tells the store nothing of a file's name", () => {
  expect(plainName("image/jpeg")).toBe("image.jpeg");
});
