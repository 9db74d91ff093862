import type { MediaKit } from "#libs/domain/media-kit.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { formats } from "../../mail/formats.ts";
import { safeHref } from "../page/layout.ts";
import type { Audience } from "./audience.ts";

const HOW = "Choose a placement, pay and submit your ad. We review every ad before it goes live.";

/** The head of an offer: what the publisher says about the site, in the publisher's words, and how buying works. */
export function kitHead(title: string, kit: MediaKit, uploads: Pick<Uploads, "locate">): Html {
  const { description, logoUrl, topics } = kit;
  // Pages load images from the store of uploads alone.
  const logo = logoUrl !== null && uploads.locate(logoUrl) !== null ? safeHref(logoUrl) : null;
  return html`<div class="kit">${logo === null ? null : html`<img class="kit-logo" src="${logo}" alt="">`}<div><h1>${title}</h1>
<p class="lead">${description ?? HOW}</p></div></div>
${topics.length === 0 ? null : html`<ul class="topics" aria-label="Topics">${topics.map((topic) => html`<li>${topic}</li>`)}</ul>`}
${description === null ? null : html`<p>${HOW}</p>`}`;
}

/** Who reads the site, in the publisher's words and in figures, as far as the publisher shows them; null for neither. */
export function kitAudience({ audience }: MediaKit, stats: Audience | null): Html | null {
  if (audience === null && stats === null) return null;
  return html`<section class="card" aria-labelledby="audience"><h2 id="audience">Audience</h2>
${audience === null ? null : html`<p class="prose">${audience}</p>`}
${stats === null ? null : figures(stats)}</section>`;
}

function figures({ days, impressions, clicks, visitors }: Audience): Html {
  const figure = (name: string, count: number) =>
    html`<div><dt>${name}</dt><dd>${formats.count(count)}</dd></div>`;
  return html`<p class="hint">Ad performance, last ${String(days)} days. <a href="/v1/docs/counting">How this is counted</a></p>
<dl class="stats">${[figure("Impressions", impressions), figure("Clicks", clicks), figure("Visitors", visitors)]}</dl>`;
}

/** What advertisers ask; null for nothing. */
export function kitQuestions({ faq }: MediaKit): Html | null {
  if (faq.length === 0) return null;
  const items = faq.map(
    ({ question, answer }) =>
      html`<details class="question"><summary>${question}</summary><p class="prose">${answer}</p></details>`,
  );
  return html`<section aria-labelledby="questions"><h2 id="questions">Questions</h2>
${items}</section>`;
}
