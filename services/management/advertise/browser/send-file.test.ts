import { expect, it } from "vitest";
import { sentenceOf } from "./send-file.ts";

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
