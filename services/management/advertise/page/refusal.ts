import type { FastifyReply } from "fastify";
import { problems as problemsShape } from "#libs/contract/errors.ts";
import { html } from "#libs/html/index.ts";
import type { FieldProblems } from "#libs/http/index.ts";
import { refuse } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import type { PageContent, ShownPublisher } from "./layout.ts";

/** A failure as a page tells it, in the contract's own status, sentences and paths. */
export interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly problems: FieldProblems;
}

/** Titles and sentences for people, where the contract's are for programs. */
const WORDS: Readonly<Record<string, readonly [title: string, sentence: string]>> = {
  NOT_FOUND: ["Page not found", "There is nothing at this address. Check that the link is complete."],
  TOO_MANY_REQUESTS: ["Too many requests", "Wait a minute, then try again."],
  PAYMENT_PROCESSOR_FAILED: [
    "The payment service does not answer",
    "Nothing was charged. Try again in a minute.",
  ],
  SERVICE_UNAVAILABLE: ["Not available at the moment", "Try again in a minute."],
  PAYLOAD_TOO_LARGE: ["Too much was sent", "Shorten the texts and try again."],
  CONFLICT_FIELD: ["This cannot be done", "The state has changed. Load the page again."],
  INPUT_VALIDATION_FAILED: ["Something has to be corrected", "Some values cannot be used."],
};
const OTHERWISE = ["Something went wrong", "Try again. If it happens again, tell the publisher."] as const;

/** What was thrown as what a page says; logged and given its headers as the API's refusals are. */
export function refusalOf(
  thrown: unknown,
  reply: FastifyReply,
  { logger }: Pick<Services, "logger">,
): Refusal {
  const { status, code, data } = refuse(thrown, reply, logger);
  const [title, sentence] = WORDS[code] ?? OTHERWISE;
  const told = problemsShape.safeParse(data);
  const problems = told.success ? told.data : { formErrors: [], fieldErrors: {} };
  const isTold = problems.formErrors.length > 0 || Object.keys(problems.fieldErrors).length > 0;
  return { status, title, problems: isTold ? problems : { ...problems, formErrors: [sentence] } };
}

/** A page that says nothing but what is wrong. */
export function refusalPage({ title, problems }: Refusal, publisher: ShownPublisher | null): PageContent {
  const sentences = [...problems.formErrors, ...Object.values(problems.fieldErrors).flat()];
  return {
    title,
    publisher,
    isPrivate: true,
    content: html`<section class="card narrow" role="alert">
<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
</section>`,
  };
}
