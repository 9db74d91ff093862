import type { FastifyReply } from "fastify";
import type { Logger } from "pino";
import { problems as problemsShape } from "#libs/contract/errors.ts";
import { html } from "#libs/html/index.ts";
import type { FieldProblems } from "#libs/http/index.ts";
import { refuse } from "../../api/refusals.ts";
import { lostLink } from "../lost-link/link-form.ts";
import type { PageContent, ShownPublisher } from "./layout.ts";

/** A failure as a page shows it, with the contract's status, sentences and paths. */
export interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly problems: FieldProblems;
}

/** Titles and sentences for people by the contract's error code. */
const WORDS: Readonly<Record<string, readonly [title: string, sentence: string]>> = {
  NOT_FOUND: ["Page not found", "There's nothing at this address. Check that the link is complete."],
  TOO_MANY_REQUESTS: ["Too many requests", "Try again in a minute."],
  PAYMENT_PROCESSOR_FAILED: [
    "The payment service isn't responding",
    "You weren't charged. Try again in a minute.",
  ],
  SERVICE_UNAVAILABLE: ["Not available right now", "Try again in a minute."],
  PAYLOAD_TOO_LARGE: ["The form is too long", "Shorten the texts and try again."],
  CONFLICT_FIELD: ["This can't be done", "Something has changed. Reload the page and try again."],
  INPUT_VALIDATION_FAILED: ["Something needs to be corrected", "Some values aren't valid."],
};
const OTHERWISE = ["Something went wrong", "Try again. If it happens again, contact the publisher."] as const;

/** A thrown error as a page shows it; logs it, and sets the headers that the API would send. */
export function refusalOf(thrown: unknown, reply: FastifyReply, logger: Logger): Refusal {
  const { status, code, data } = refuse(thrown, reply, logger);
  const [title, sentence] = WORDS[code] ?? OTHERWISE;
  const given = problemsShape.safeParse(data);
  const problems = given.success ? given.data : { formErrors: [], fieldErrors: {} };
  const hasSentence = problems.formErrors.length > 0 || Object.keys(problems.fieldErrors).length > 0;
  return { status, title, problems: hasSentence ? problems : { ...problems, formErrors: [sentence] } };
}

/** The sentences of all problems. */
export function sentencesOf({ problems: { formErrors, fieldErrors } }: Refusal): string[] {
  return [...formErrors, ...Object.values(fieldErrors).flat()];
}

/** A page that shows only the failure; with `publisher` also a way back for advertisers who have lost their link. */
export function refusalPage(refusal: Refusal, publisher?: ShownPublisher): PageContent {
  return {
    title: refusal.title,
    publisher: publisher ?? null,
    isPrivate: true,
    content: html`<section class="card narrow" role="alert">
<h1>${refusal.title}</h1>
${sentencesOf(refusal).map((sentence) => html`<p>${sentence}</p>`)}
</section>
${publisher === undefined ? null : lostLink(publisher)}`,
  };
}

/** Shown to advertisers who come by an old link after the publisher has deleted the workspace. */
export function closedPage({ refunds }: { readonly refunds: boolean | null }): PageContent {
  const title = "This publisher has closed";
  return {
    title,
    publisher: null,
    isPrivate: true,
    content: html`<section class="card narrow" role="alert">
<h1>${title}</h1>
<p>They don't sell advertising here anymore. If you had a subscription, it has ended, and you won't be charged again.</p>
<p>${moneyAfterClosing(refunds)}</p>
</section>`,
  };
}

function moneyAfterClosing(refunds: boolean | null): string {
  if (refunds === null) return "Contact the publisher about past payments.";
  return refunds
    ? "The unused part of its last period, or everything you paid if your ad never ran, goes back to the card that you paid with."
    : "Past payments aren't refunded automatically. Contact the publisher about a refund.";
}
