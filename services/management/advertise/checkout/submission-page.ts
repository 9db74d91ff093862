import { type Html, html } from "#libs/html/index.ts";
import type { PageContent } from "../page/layout.ts";
import type { Refusal } from "../page/refusal.ts";
import type { Site } from "../page/site.ts";
import { type Draft, draftOfCreative, newDraft } from "./draft.ts";
import { areChangesAsked, hasAd, hasEndedNow, type PaidVisit } from "./facts.ts";
import { quoted } from "./quoted.ts";
import { submissionForm } from "./submission-form.ts";
import { billingNote, subscriptionCard } from "./subscription-card.ts";
import { sessionPath } from "./visit.ts";

/** An attempt that was refused, with the form as it was sent. */
export interface Attempt {
  readonly draft: Draft;
  readonly refusal: Refusal;
}

/** Asks for the ad that was paid for, or for a new version of it. */
export function submissionPage({ services }: Site, visit: PaidVisit, attempt: Attempt | null): PageContent {
  const { publisher, fields, session, ad } = visit;
  const now = services.now();
  const isAsked = hasAd(visit) && areChangesAsked(visit);
  const isOver = hasEndedNow(visit, now);
  const words = isOver && ad === undefined ? OVER : wordsFor(visit);
  return {
    title: `${attempt === null ? "" : "Not sent: "}${words.title} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<div class="headline"><h1>${words.title}</h1>${isAsked ? CHANGES_REQUESTED : null}</div>
<p class="lead">${words.lead}</p>
${billingNote(visit, now)}
${quoted(`${publisher.name} asks for changes`, noteOf(visit))}
${
  isOver
    ? null
    : submissionForm({
        action: sessionPath(visit),
        fields,
        draft: attempt?.draft ?? draftOf(visit),
        problems: attempt?.refusal.problems ?? null,
        button: words.button,
        upload: {
          address: `/v1/checkout-sessions/${session.id}/uploads`,
          maxBytes: services.uploads.maxBytes,
        },
        uploads: services.uploads,
      })
}
${ad === undefined || isAsked ? subscriptionCard(visit, now) : backLink(visit)}`,
  };
}

/** What the publisher wants to be changed: of the open revision, else of the ad. */
export function noteOf({ ad, revision }: PaidVisit): string | null {
  if (revision !== undefined) return revision.note;
  return ad?.status === "Pending" ? ad.rejection_note : null;
}

const CHANGES_REQUESTED = html`<p class="badge bad">Changes requested</p>`;

const OVER = {
  title: "This purchase is over",
  lead: "No ad was sent, and none can be sent any more.",
  button: "",
};

function wordsFor({ ad, publisher, session }: PaidVisit) {
  if (ad === undefined) {
    return {
      title: "Send your ad",
      lead: `Thank you. You have bought ${session.tier_name} on ${publisher.name}; now send the ad that is to be shown.`,
      button: "Send for review",
    };
  }
  if (ad.status === "Approved") {
    return {
      title: "Change your ad",
      lead: "The new version is reviewed first. Until it is approved, the present one stays on air.",
      button: "Send the new version",
    };
  }
  return {
    title: "Change your ad",
    lead: `${publisher.name} reviews what you send.`,
    button: "Send for review",
  };
}

function draftOf({ ad, revision, fields }: PaidVisit): Draft {
  const creative = revision ?? ad;
  return creative === undefined ? newDraft(fields) : draftOfCreative(creative, fields);
}

function backLink(visit: PaidVisit): Html {
  return html`<p><a href="${sessionPath(visit)}">Back to the ad</a></p>`;
}
