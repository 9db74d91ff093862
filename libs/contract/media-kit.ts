import { z } from "zod";
import { LONGEST_IN_KIT, MOST_IN_KIT } from "#libs/domain/media-kit.ts";
import { trimmedText, webUrl } from "./text.ts";

/** What the advertising page tells about a site. */
export const mediaKit = {
  description: trimmedText(1, LONGEST_IN_KIT.description)
    .nullable()
    .meta({ description: "About the site; null for nothing.", examples: ["A weekly letter about clay."] }),
  logoUrl: webUrl.nullable().meta({
    description:
      "The `publicUrl` of one of the workspace's uploads whose file was sent; null for no logo. Anything else is a 422.",
    examples: [null],
  }),
  audience: trimmedText(1, LONGEST_IN_KIT.audience)
    .nullable()
    .meta({
      description: "Who the readers are; null for nothing.",
      examples: ["8,000 potters, most of them in Europe."],
    }),
  topics: z
    .array(trimmedText(1, LONGEST_IN_KIT.topic))
    .max(MOST_IN_KIT.topics, `Must have at most ${MOST_IN_KIT.topics} topics.`)
    .meta({ description: "What the site is about, in the order shown.", examples: [["Ceramics", "Craft"]] }),
  faq: z
    .array(
      z.object({
        question: trimmedText(1, LONGEST_IN_KIT.question),
        answer: trimmedText(1, LONGEST_IN_KIT.answer),
      }),
    )
    .max(MOST_IN_KIT.questions, `Must have at most ${MOST_IN_KIT.questions} questions.`)
    .meta({
      description: "Questions that advertisers ask, in the order shown.",
      examples: [[{ question: "When is the next issue?", answer: "Every Thursday." }]],
    }),
};
