import { expect, it } from "vitest";
import { checkMediaKit, draftOfMediaKit } from "./media-kit-draft.ts";

const EMPTY = { description: null, logoUrl: null, audience: null, topics: [], faq: [] };
const faq = [{ question: "When is the next issue?", answer: "Every Thursday." }];

it("sends null for blank texts and leaves out a question that is blank with its answer", () => {
  const draft = draftOfMediaKit({ ...EMPTY, description: "Clay", faq });
  const changed = { ...draft.mediaKit, description: "  ", faq: [...faq, { question: " ", answer: "" }] };

  expect(checkMediaKit({ mediaKit: changed })).toEqual({ input: { mediaKit: { ...EMPTY, faq } } });
});

it("names the question without an answer", () => {
  const draft = draftOfMediaKit({ ...EMPTY, faq: [...faq, { question: "How many readers?", answer: "" }] });

  expect(checkMediaKit(draft)).toEqual({ errors: { "mediaKit.faq.1.answer": "Enter an answer." } });
});
