import { html } from "#libs/html/index.ts";
import { offerPath, type PageContent } from "../page/layout.ts";
import { priceWords } from "../page/price-words.ts";
import { priceOf, sessionPath, type Visit } from "./visit.ts";

/** In seconds: from one look to the next without the script, longer each time, up to the last. */
const PAUSES = [3, 5, 10, 15, 30] as const;
/** By then somebody who looks on has to ask for it. */
const MOST_LOOKS = 40;

/** While the payment is not confirmed: it looks again by itself, with the script without loading the page anew. */
export function waitingPage(visit: Visit, look: number): PageContent {
  const { publisher, session, isProcessorAway } = visit;
  const next = `${sessionPath(visit)}?look=${look + 1}`;
  const pause = PAUSES[Math.min(look, PAUSES.length - 1)] ?? PAUSES[0];
  const title = "Waiting for the payment";
  return {
    title: `${title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    head:
      look >= MOST_LOOKS
        ? null
        : html`<noscript><meta http-equiv="refresh" content="${String(pause)};url=${next}"></noscript>\n`,
    content: html`<section class="card narrow" data-awaits="/v1/checkout-sessions/${session.id}">
<h1>${title}</h1>
<p>${session.tier_name}, ${priceWords(priceOf(visit))}.</p>
<p role="status" data-progress>${
      isProcessorAway
        ? "The payment service does not answer at the moment. This page goes on asking."
        : "The payment service has not confirmed the payment yet. That takes a few seconds; then this page goes on by itself."
    }</p>
<p><a class="button" href="${next}">Look again</a></p>
<p class="hint">Keep the address of this page: it leads to your ad. If you have not paid, <a href="${offerPath(publisher)}">choose a placement</a> and begin anew.</p>
</section>`,
  };
}

/** When a session has ended without a payment. */
export function expiredPage({ publisher }: Visit): PageContent {
  const title = "This checkout has expired";
  return {
    title: `${title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<section class="card narrow">
<h1>${title}</h1>
<p>It ended without a payment, and nothing was charged.</p>
<p><a class="button" href="${offerPath(publisher)}">Choose a placement</a></p>
</section>`,
  };
}
