import { html } from "#libs/html/index.ts";
import type { PageContent, Site } from "../page/layout.ts";
import type { Refusal } from "../page/refusal.ts";
import { processorNow } from "../ports.ts";
import { type Draft, draftOfCreative, newDraft } from "./draft.ts";
import { billingNote, quoted, subscriptionCard } from "./notes.ts";
import { isOver } from "./standing.ts";
import { submissionForm } from "./submission-form.ts";
import { areChangesRequested, hasAd, type PaidVisit, sessionPath } from "./visit.ts";

/** A refused attempt with the submitted form. */
interface Attempt {
  readonly draft: Draft;
  readonly refusal: Refusal;
}

/** The form of a paid ad, or of an edit of it. */
export function submissionPage({ ports }: Site, visit: PaidVisit, attempt: Attempt | null): PageContent {
  const { publisher, fields, session, ad, purchase } = visit;
  const isRequested = hasAd(visit) && areChangesRequested(visit);
  const { uploads } = ports;
  const now = processorNow(ports);
  const hasEnded = isOver(purchase, now);
  const words = hasEnded && ad === undefined ? ENDED : wordsFor(visit);
  const form = {
    action: sessionPath(visit),
    fields,
    draft: attempt?.draft ?? draftOf(visit),
    problems: attempt?.refusal.problems ?? null,
    button: words.button,
    upload: { address: `/v1/checkout-sessions/${session.id}/uploads`, maxBytes: uploads.maxBytes },
    uploads,
    faviconUrl: ad?.favicon_url ?? null,
    draftOf: ad === undefined && attempt === null ? publisher.id : null,
  };
  return {
    title: `${attempt === null ? "" : "Not submitted: "}${words.title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<div class="headline"><h1>${words.title}</h1>${isRequested ? CHANGES_REQUESTED : null}</div>
<p class="lead">${words.lead}</p>
${billingNote(visit, now)}
${quoted(`${publisher.name} requested changes`, noteOf(visit))}
${hasEnded ? null : submissionForm(form)}
${
  ad === undefined || isRequested
    ? subscriptionCard(visit, now)
    : html`<p><a href="${sessionPath(visit)}">Back to your ad</a></p>`
}`,
  };
}

/** The changes that the publisher has requested: to the open revision, else to the ad. */
function noteOf({ ad, revision }: PaidVisit): string | null {
  if (revision !== undefined) return revision.note;
  return ad?.status === "Pending" ? ad.rejection_note : null;
}

const CHANGES_REQUESTED = html`<p class="badge bad">Changes requested</p>`;

const ENDED = {
  title: "This placement has ended",
  lead: "No ad was submitted, and it's too late to submit one.",
  button: "",
};

function wordsFor({ ad, publisher, session }: PaidVisit) {
  if (ad === undefined) {
    return {
      title: "Submit your ad",
      lead: `Thanks for your purchase! Now submit the ad you'd like to run in ${session.tier_name} on ${publisher.name}.`,
      button: "Submit for review",
    };
  }
  if (ad.status === "Approved") {
    return {
      title: "Edit your ad",
      lead: "Your edit is reviewed first. Until it's approved, the current version stays live.",
      button: "Submit edit",
    };
  }
  return {
    title: "Edit your ad",
    lead: `Your changes will be reviewed by ${publisher.name}.`,
    button: "Submit for review",
  };
}

function draftOf({ ad, revision, fields }: PaidVisit): Draft {
  const creative = revision ?? ad;
  return creative === undefined ? newDraft(fields) : draftOfCreative(creative, fields);
}
