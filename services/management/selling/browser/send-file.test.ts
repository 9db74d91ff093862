import { expect, it } from "vitest";
import { type ChosenFile, plainName, problemWith, sentenceOf } from "./send-file.ts";

it.each<[unknown, string | null]>([
  [{ data: { formErrors: ["Not before payment."], fieldErrors: {} } }, "Not before payment."],
  [{ data: { formErrors: [], fieldErrors: { contentLength: ["Too large."] } } }, "Too large."],
  [{ data: { formErrors: [], fieldErrors: {} } }, null],
  [{ data: { formErrors: [5], fieldErrors: { a: "no list" } } }, "no list"],
  [{ message: "NOT_FOUND" }, null],
  [null, null],
  ["text", null],
])("finds in the answer %j the sentence %j", (answer, sentence) => {
  expect(sentenceOf(answer)).toBe(sentence);
});

const RULES = { types: ["image/png", "image/jpeg"], maxBytes: 1024 * 1024 };

it.each<[string, ChosenFile, string | null]>([
  ["an image", { type: "image/png", size: 1 }, null],
  ["the largest image", { type: "image/jpeg", size: RULES.maxBytes }, null],
  ["one byte more", { type: "image/png", size: RULES.maxBytes + 1 }, "the limit is 1 MB"],
  ["an SVG", { type: "image/svg+xml", size: 1 }, "Unsupported file type"],
  ["a page", { type: "text/html", size: 1 }, "Unsupported file type"],
  ["a file of no known type", { type: "", size: 1 }, "Unsupported file type"],
  ["nothing", { type: "image/png", size: 0 }, "empty"],
])("judges %s before it is sent", (_what, file, sentence) => {
  const problem = problemWith(file, RULES);

  if (sentence === null) expect(problem).toBeNull();
  else expect(problem).toContain(sentence);
});

it("keeps a file's name from the store", () => {
  expect(plainName("image/jpeg")).toBe("image.jpeg");
});
