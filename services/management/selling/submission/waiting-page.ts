import { html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { lostLink } from "../lost-link/link-form.ts";
import { offerPath, type PageContent } from "../page/layout.ts";
import { priceOf, sessionPath, type Visit } from "./visit.ts";

/** Seconds between reloads without the script, longer each time, up to the last. */
const PAUSES = [3, 5, 10, 15, 30] as const;
/** After these the reader has to reload by hand. */
const MOST_RELOADS = 40;

/** Shown until the payment is confirmed; reloads itself, or with the script asks the API in the background. */
export function waitingPage(visit: Visit, reloads: number): PageContent {
  const { publisher, session, isProcessorAway } = visit;
  const next = `${sessionPath(visit)}?look=${reloads + 1}`;
  const pause = PAUSES[Math.min(reloads, PAUSES.length - 1)] ?? PAUSES[0];
  const title = "Waiting for payment";
  return {
    title: `${title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    head:
      reloads >= MOST_RELOADS
        ? null
        : html`<noscript><meta http-equiv="refresh" content="${String(pause)};url=${next}"></noscript>\n`,
    content: html`<section class="card narrow" data-awaits="/v1/checkout-sessions/${session.id}">
<h1>${title}</h1>
<p>${session.tier_name}, ${formats.price(priceOf(visit))}.</p>
<p role="status" data-progress>${
      isProcessorAway
        ? "The payment service isn't responding. We'll keep trying."
        : "The payment service hasn't confirmed the payment yet. This usually takes a few seconds, and the page updates by itself."
    }</p>
<p><a class="button" href="${next}">Check again</a></p>
<p class="hint">Bookmark this page – it leads to your ad. If you haven't paid, <a href="${offerPath(publisher)}">choose a placement</a> and start over.</p>
</section>`,
  };
}

/** Shown after a session has ended without a payment. */
export function expiredPage({ publisher }: Visit): PageContent {
  const title = "This checkout has expired";
  return {
    title: `${title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<section class="card narrow">
<h1>${title}</h1>
<p>No payment was made, and you weren't charged.</p>
<p><a class="button" href="${offerPath(publisher)}">Choose a placement</a></p>
</section>
${lostLink(publisher)}`,
  };
}
