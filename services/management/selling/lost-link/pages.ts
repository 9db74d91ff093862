import type { ProcessorTime } from "#libs/domain/moment.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { offerPath, type PageContent } from "../page/layout.ts";
import type { Publisher } from "../queries.ts";
import { standingOf } from "../submission/standing.ts";
import { linkForm } from "./link-form.ts";
import { type Bought, MOST_LISTED } from "./queries.ts";

/** The form on a page of its own; `refused` is what was typed, if it is no email address. */
export function askPage(publisher: Publisher, refused: string | null): PageContent {
  const title = "Send me my link";
  return {
    title: `${refused === null ? "" : "Not sent: "}${title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<section class="card narrow"><h1>${title}</h1>
<p>Enter the email address you bought advertising with. We'll send you a link to all your ads on ${publisher.name}.</p>
${linkForm(publisher, refused)}</section>`,
  };
}

/** The same answer for every address. */
export function sentPage(publisher: Publisher): PageContent {
  const title = "Check your email";
  return {
    title: `${title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<section class="card narrow"><h1>${title}</h1>
<p role="status">If this address has bought advertising here, we've sent the link.</p>
<p class="hint">It can take a few minutes. The link works for one hour.</p>
<p><a href="${offerPath(publisher)}">Back to ${publisher.name}</a></p></section>`,
  };
}

/** For a link that has expired, or never was one. */
export function staleLinkPage(publisher: Publisher): PageContent {
  const title = "This link has expired";
  return {
    title: `${title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<section class="card narrow"><h1>${title}</h1>
<p>Links to your ads work for one hour. We can send you a new one.</p>
${linkForm(publisher)}</section>`,
  };
}

/** All ads of an advertiser, each with its status and the link to its own page. */
export function adsPage(publisher: Publisher, bought: readonly Bought[], now: ProcessorTime): PageContent {
  const title = `Your ads on ${publisher.name}`;
  const note =
    bought.length < MOST_LISTED
      ? null
      : html`<p class="hint">These are your ${formats.count(MOST_LISTED)} newest ads.</p>`;
  return {
    title,
    publisher,
    isPrivate: true,
    content: html`<h1>${title}</h1>
<p class="lead">Open an ad to see its stats, edit it or manage its subscription.</p>
${bought.length === 0 ? html`<p>There's nothing here yet.</p>` : html`<ul class="bought">${bought.map((one) => boughtItem(publisher, one, now))}</ul>`}
${note}
<p class="hint">This page works for one hour. Bookmark the page of each ad instead.</p>
<p><a class="button second" href="${offerPath(publisher)}">Choose a new placement</a></p>`,
  };
}

function boughtItem(
  publisher: Publisher,
  { sessionId, tier, purchase, ad }: Bought,
  now: ProcessorTime,
): Html {
  const { tone, word, sentence } = standingOf({ publisher, purchase, ad }, now);
  return html`<li class="card"><div class="headline"><h2><a href="/advertise/${publisher.id}/checkout/${sessionId}">${ad?.name ?? "No ad yet"}</a></h2><p class="badge ${tone}">${word}</p></div>
<p>${tier}</p>
<p class="hint">${sentence}</p></li>`;
}
