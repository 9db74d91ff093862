import { type Html, html } from "#libs/html/index.ts";
import type { Services } from "../../services.ts";
import { attribute } from "../page/attributes.ts";
import { offerPath, type PageContent } from "../page/layout.ts";
import type { Site } from "../page/site.ts";
import { draftOfCreative } from "./draft.ts";
import { type AdVisit, hasEndedNow, standingFacts } from "./facts.ts";
import { adPreview } from "./preview.ts";
import { quoted } from "./quoted.ts";
import { standingOf } from "./standing.ts";
import { type DailyCounts, statsChart } from "./stats-chart.ts";
import { billingNote, subscriptionCard } from "./subscription-card.ts";
import { valuesList } from "./values-list.ts";
import { sessionPath } from "./visit.ts";

/** The windows of days that figures are shown for. */
export const WINDOWS = [7, 30, 90] as const;

export interface Figures {
  readonly days: number;
  /** Null while they cannot be read. */
  readonly counts: DailyCounts | null;
}

export interface Status {
  readonly visit: AdVisit;
  /** Null for an ad that was never on air. */
  readonly figures: Figures | null;
  /** Whether the ad has just been sent. */
  readonly isSaved: boolean;
}

/** How an ad stands. */
export function statusPage({ services }: Site, { visit, figures, isSaved }: Status): PageContent {
  const { ad, publisher, fields } = visit;
  const now = services.now();
  const standing = standingOf(standingFacts(visit, now));
  const draft = draftOfCreative(ad, fields);
  const isRejected = ad.status === "Rejected";
  return {
    title: `${standing.word}: ${ad.name} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`${isSaved && awaitsReview(visit) ? html`<p class="note good" role="status">Sent. ${publisher.name} reviews it.</p>` : null}
<div class="headline"><h1>${ad.name}</h1><p class="badge ${standing.tone}">${standing.word}</p></div>
<p class="lead">${standing.sentence}</p>
${isRejected ? quoted("The reason", ad.rejection_note) : billingNote(visit, now)}
${isRejected ? html`<p><a class="button" href="${offerPath(publisher)}">Choose a new placement</a></p>` : revisionNote(services, visit)}
${figures === null ? null : figuresCard(visit, figures)}
<div class="beside even"><section class="card" aria-labelledby="creative"><h2 id="creative">Your ad</h2>
${adPreview(draft, fields, services.uploads)}
${valuesList(draft, fields, ad.images_elsewhere)}
${isRejected || hasEndedNow(visit, now) ? null : editLink(visit)}</section>
${subscriptionCard(visit, now)}</div>`,
  };
}

/** The address that says so may be opened again when all is decided. */
function awaitsReview({ ad, revision }: AdVisit): boolean {
  return ad.status === "Pending" || revision?.note === null;
}

function editLink(visit: AdVisit): Html {
  const words = visit.revision === undefined ? "Change the ad" : "Change the new version";
  return html`<p><a class="button second" href="${sessionPath(visit, "/edit")}">${words}</a></p>`;
}

function revisionNote({ uploads }: Services, visit: AdVisit): Html | null {
  const { revision, publisher, fields } = visit;
  if (revision === undefined) return null;
  const draft = draftOfCreative(revision, fields);
  const asked = revision.note !== null;
  return html`<section class="card" aria-labelledby="revision"><h2 id="revision">New version</h2>
<p>${
    asked
      ? `${publisher.name} asks you to change the new version. The present one stays as it is.`
      : `${publisher.name} reviews the new version. Until it is approved, the present one stays as it is.`
  }</p>
${quoted("What to change", revision.note)}
${adPreview(draft, fields, uploads)}
<details><summary>All of the new version</summary>${valuesList(draft, fields, revision.images_elsewhere)}</details>
${asked ? html`<p><a class="button" href="${sessionPath(visit, "/edit")}">Change the new version</a></p>` : null}</section>`;
}

function figuresCard(visit: AdVisit, { days, counts }: Figures): Html {
  const links = WINDOWS.map(
    (window) =>
      html`<a href="${sessionPath(visit)}?days=${String(window)}#figures"${attribute("aria-current", window === days ? "true" : null)}>${String(window)} days</a>`,
  );
  return html`<section class="card" aria-labelledby="figures"><div class="headline"><h2 id="figures">Figures</h2>
<nav class="periods" aria-label="Days">${links}</nav></div>
${counts === null ? html`<p>The figures cannot be read at the moment. Nothing is lost; look again in a minute.</p>` : statsChart(counts)}
</section>`;
}
