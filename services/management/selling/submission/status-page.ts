import type { Field } from "#libs/contract/fields.ts";
import type { fillDays } from "#libs/domain/stats-window.ts";
import { keptFavicon } from "#libs/domain/web-url.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { formats } from "../../mail/formats.ts";
import { type ExternalImages, whyNotCopied } from "../../media/image-copies/external-images.ts";
import { addressOf, PAGE_FIELD_TYPES } from "../field-types.ts";
import { attribute, offerPath, type PageContent, type Site } from "../page/layout.ts";
import { adPreview } from "../page/preview.ts";
import { timeCharts, totalsList } from "../page/stats-chart.ts";
import { processorNow } from "../ports.ts";
import { type Draft, draftOfCreative } from "./draft.ts";
import { billingNote, quoted, subscriptionCard } from "./notes.ts";
import { isOver, standingOf } from "./standing.ts";
import { type AdVisit, sessionPath } from "./visit.ts";

/** The windows of days that stats are shown for. */
export const WINDOWS = [7, 30, 90] as const;

export interface AdStats {
  readonly days: number;
  /** Null while the stats store does not answer. */
  readonly counts: ReturnType<typeof fillDays> | null;
}

/** What was submitted just before: something to review, or what the approved ad has already. */
export type Sent = "to review" | "live already";

/** The status of an ad, with its stats (null if it was never live), content and subscription. */
export function statusPage(
  { ports }: Site,
  visit: AdVisit,
  stats: AdStats | null,
  sent: Sent | null,
): PageContent {
  const { uploads } = ports;
  const { ad, publisher, fields, purchase } = visit;
  const now = processorNow(ports);
  const standing = standingOf(visit, now);
  const draft = draftOfCreative(ad, fields);
  const isRejected = ad.status === "Rejected";
  return {
    title: `${standing.word}: ${ad.name} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`${sentNote(visit, sent)}
<div class="headline"><h1>${ad.name}</h1><p class="badge ${standing.tone}">${standing.word}</p></div>
<p class="lead">${standing.sentence}</p>
${isRejected ? quoted("Reason", ad.rejection_note) : billingNote(visit, now)}
${isRejected ? html`<p><a class="button" href="${offerPath(publisher)}">Choose a new placement</a></p>` : revisionNote(uploads, visit, isOver(purchase, now))}
${stats === null ? null : statsCard(visit, stats)}
<div class="beside even"><section class="card" aria-labelledby="creative"><h2 id="creative">Your ad</h2>
${adPreview({ ...draft, faviconUrl: ad.favicon_url }, fields, uploads)}
${valuesList(draft, fields, ad.images_elsewhere, uploads)}
${isRejected || isOver(purchase, now) ? null : editLink(visit)}</section>
${subscriptionCard(visit, now)}</div>`,
  };
}

function sentNote(visit: AdVisit, sent: Sent | null): Html | null {
  const { ad, revision, publisher } = visit;
  if (sent === "to review" && awaitsReview(visit)) {
    return html`<p class="note good" role="status" data-forget-draft="${publisher.id}">Submitted. ${publisher.name} will review it and email you.</p>`;
  }
  return sent === "live already" && ad.status === "Approved" && revision === undefined
    ? html`<p class="note good" role="status">Your approved ad already looks like this, so there's nothing to review.</p>`
    : null;
}

/** Whether the submission is undecided: its reader may reload the address with `?saved` after the decision. */
function awaitsReview({ ad, revision }: AdVisit): boolean {
  return ad.status === "Pending" || revision?.note === null;
}

function editLink(visit: AdVisit): Html {
  const words = visit.revision === undefined ? "Edit ad" : "Change your edit";
  return html`<p><a class="button second" href="${sessionPath(visit, "/edit")}">${words}</a></p>`;
}

function revisionNote(
  uploads: Pick<Uploads, "locate" | "origins">,
  visit: AdVisit,
  hasEnded: boolean,
): Html | null {
  const { ad, revision, publisher, fields } = visit;
  if (revision === undefined) return null;
  const draft = draftOfCreative(revision, fields);
  const isRequested = revision.note !== null && !hasEnded;
  return html`<section class="card" aria-labelledby="revision"><h2 id="revision">Your edit</h2>
<p>${
    hasEnded
      ? "This placement has ended, so your edit won't be reviewed."
      : isRequested
        ? `${publisher.name} requested changes to your edit. The current version stays live.`
        : `${publisher.name} is reviewing your edit. Until it's approved, the current version stays live.`
  }</p>
${isRequested ? quoted("Requested changes", revision.note) : null}
${adPreview({ ...draft, faviconUrl: keptFavicon(ad, revision.website_url) }, fields, uploads)}
<details><summary>Show full new version</summary>${valuesList(draft, fields, revision.images_elsewhere, uploads)}</details>
${isRequested ? html`<p><a class="button" href="${sessionPath(visit, "/edit")}">Change your edit</a></p>` : null}</section>`;
}

function statsCard(visit: AdVisit, { days, counts }: AdStats): Html {
  const links = WINDOWS.map(
    (window) =>
      html`<a href="${sessionPath(visit)}?days=${String(window)}#stats"${attribute("aria-current", window === days ? "true" : null)}>${String(window)} days</a>`,
  );
  return html`<section class="card" aria-labelledby="stats"><div class="headline"><h2 id="stats">Stats</h2>
<nav class="periods" aria-label="Period">${links}</nav></div>
${counts === null ? html`<p>Stats aren't available right now. Nothing is lost; check again in a minute.</p>` : dailyStats(counts)}
<p><a class="button second" href="${sessionPath(visit, "/report")}">Full report</a></p>
</section>`;
}

function dailyStats({ rows, totals }: NonNullable<AdStats["counts"]>): Html {
  const times = rows.map(({ date, impressions, clicks }, index) => ({
    name: formats.day(new Date(date)),
    shortName: formats.shortDay(new Date(date)),
    isOver: index < rows.length - 1,
    impressions,
    clicks,
  }));
  return html`${totalsList(totals)}
${timeCharts(times, { per: "day", note: "Days in UTC. The light bar is today so far." })}`;
}

/** The submitted ad content as a list, with the reason why an external image is not shown yet. */
function valuesList(
  { name, websiteUrl, values }: Draft,
  fields: readonly Field[],
  waiting: ExternalImages,
  uploads: Pick<Uploads, "locate">,
): Html {
  const given = fields.flatMap((field) => {
    const value = values.get(field.key) ?? "";
    return value === ""
      ? []
      : [
          line(
            field.name,
            html`${PAGE_FIELD_TYPES[field.type].shown(value, field, uploads)}${copyNote(waiting[field.id])}`,
          ),
        ];
  });
  return html`<dl class="values">${[line("Name", html`${name}`), line("Website", addressOf(websiteUrl)), ...given]}</dl>`;
}

function line(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function copyNote(image: ExternalImages[string] | undefined): Html | null {
  return image === undefined ? null : html`<p class="hint">${whyNotCopied(image)}</p>`;
}
