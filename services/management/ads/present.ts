import type { Selectable } from "kysely";
import type { AuditValues, ExternalImage, NotedSubmission } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { type CreativeContent, submittedValues } from "../media/image-copies/external-images.ts";
import { awaitsCharge, graceEndOf } from "../snapshots/publish.ts";
import type { ProposedCreative } from "./creative.ts";
import type { AdRow, ListedAdRow, PurchaseRow } from "./queries.ts";
import type { ToReviewRow } from "./review-queue.ts";
import type { RevisionRow } from "./revisions/queries.ts";

type ShownAdRow = Omit<
  Selectable<Tables["ads"]>,
  "changed_at" | "address_bytes" | "meta" | "images_elsewhere" | "previous"
>;

/** An ad in a list of the management view: everything except its field values. */
export function presentListedAd(row: ListedAdRow) {
  return {
    ...presentCreative(row),
    subscription: {
      ...presentSubscription(row),
      advertiser: { id: row.advertiser_id, name: row.advertiser_name, email: row.advertiser_email ?? "" },
    },
  };
}

/** An ad in a list that includes field values. */
export function presentAdWithMeta(row: ListedAdRow, values: CreativeContent, fieldIds: ReadonlySet<string>) {
  return { ...presentListedAd(row), meta: presentFieldValues(values, fieldIds) };
}

/** An ad in the management view. Values of fields that no longer exist are left out. */
export function presentAd(row: AdRow, fieldIds: ReadonlySet<string>) {
  return {
    ...presentListedAd(row),
    version: row.version,
    previous: presentPrevious(row.previous, fieldIds),
    meta: presentFieldValues(row, fieldIds),
  };
}

/** An ad in the advertiser view. */
export function presentAdvertisersAd(row: ListedAdRow, stats: { impressions: number; clicks: number }) {
  return {
    ...presentCreative(row),
    stats: { impressions: stats.impressions, clicks: stats.clicks },
    subscription: {
      ...presentSubscription(row),
      createdAt: row.subscription_created_at.toISOString(),
      updatedAt: row.subscription_updated_at.toISOString(),
    },
  };
}

/** An ad as the answer to its submission shows it. */
export function presentSubmittedAd(row: ShownAdRow & CreativeContent, fieldIds: ReadonlySet<string>) {
  return { ...presentCreative(row), meta: presentFieldValues(row, fieldIds) };
}

function presentCreative(row: ShownAdRow) {
  return {
    id: row.id,
    status: row.status,
    name: row.name,
    websiteUrl: row.website_url,
    faviconUrl: row.favicon_url,
    reviewedAt: row.reviewed_at?.toISOString() ?? null,
    rejectionNote: row.rejection_note,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A subscription in a list, with its advertiser and its ad. */
export function presentPurchase(row: PurchaseRow & { readonly ad_id: string | null }) {
  return {
    ...presentSubscription(row),
    createdAt: row.subscription_created_at.toISOString(),
    updatedAt: row.subscription_updated_at.toISOString(),
    advertiser: { id: row.advertiser_id, name: row.advertiser_name, email: row.advertiser_email ?? "" },
    adId: row.ad_id,
  };
}

/** Earlier releases recorded when a subscription was canceled, and not when it ended. */
function endOf({ subscription_status: status, ended_at, canceled_at }: PurchaseRow): Date | null {
  return ended_at ?? (hasEnded(status) ? canceled_at : null);
}

function presentSubscription(row: PurchaseRow) {
  return {
    id: row.subscription_id,
    status: row.subscription_status,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    cancelAt: row.cancel_at?.toISOString() ?? null,
    canceledAt: row.canceled_at?.toISOString() ?? null,
    endedAt: endOf(row)?.toISOString() ?? null,
    cancellationReason: row.cancellation_reason,
    cancellationFeedback: row.cancellation_feedback,
    cancellationComment: row.cancellation_comment,
    currentPeriodStart: row.current_period_start?.toISOString() ?? null,
    currentPeriodEnd: row.current_period_end?.toISOString() ?? null,
    paidAmount: row.paid_amount,
    chargeAt: row.charge_at,
    awaitsApproval: row.awaits_approval,
    awaitsCharge: awaitsCharge(row),
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    graceEndsAt: asTimestamp(graceEndOf(row)),
    refundDueSince: row.refund_due_since?.toISOString() ?? null,
    clientReference: row.client_reference,
    metadata: { ...row.metadata },
    tier: { id: row.tier_id, name: row.tier_name, weight: row.tier_weight },
    tierPrice: {
      id: row.price_id,
      interval: row.interval,
      intervalCount: row.interval_count,
      amount: row.amount,
      currency: row.currency,
    },
  };
}

/** Milliseconds since the epoch as the API writes them. */
export function asTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/**
 * The values of the named fields; those of deleted fields and of fields that this reader may not see are left out. An image
 * that waits for its copy has the submitted address and `copy`.
 */
function presentFieldValues(content: CreativeContent, fieldIds: ReadonlySet<string>) {
  const { images_elsewhere: waiting } = content;
  return Object.entries(submittedValues(content))
    .filter(([fieldId]) => fieldIds.has(fieldId))
    .map(([fieldId, value]) => {
      const image = Object.hasOwn(content.meta, fieldId) ? undefined : waiting[fieldId];
      return { fieldId, value, ...(image === undefined ? {} : { copy: presentCopy(image) }) };
    });
}

function presentCopy({ dueAt, problem }: ExternalImage) {
  return { status: dueAt === null ? ("failed" as const) : ("pending" as const), problem };
}

/** An open revision with the values of the named fields. */
export function presentRevision(row: RevisionRow, fieldIds: ReadonlySet<string>) {
  return {
    adId: row.ad_id,
    version: row.version,
    name: row.name,
    websiteUrl: row.website_url,
    meta: presentFieldValues(row, fieldIds),
    note: row.note,
    previous: presentPrevious(row.previous, fieldIds),
    submittedAt: row.submitted_at.toISOString(),
  };
}

function presentPrevious(noted: NotedSubmission | null, fieldIds: ReadonlySet<string>) {
  if (noted === null) return null;
  const { note, name, website_url: websiteUrl } = noted;
  return { note, name, websiteUrl, meta: presentFieldValues(noted, fieldIds) };
}

/** An ad or edit of the review queue. */
export function presentToReview(row: ToReviewRow) {
  const { edit_name, edit_website_url, edit_submitted_at } = row;
  const { advertiser, ...listed } = presentListedAd(row).subscription;
  const isEdit = edit_submitted_at !== null;
  const websiteUrl = edit_website_url ?? row.website_url;
  return {
    kind: isEdit ? ("revision" as const) : ("ad" as const),
    adId: row.id,
    name: edit_name ?? row.name,
    websiteUrl,
    // The icon belongs to the site.
    faviconUrl: websiteUrl === row.website_url ? row.favicon_url : null,
    submittedAt: (edit_submitted_at ?? row.submitted_at ?? row.created_at).toISOString(),
    isResubmission: row.is_resubmission,
    tier: listed.tier,
    tierPrice: listed.tierPrice,
    advertiser,
  };
}

/** An ad as the audit log compares it before and after a change. */
export function auditedAd(ad: AdRow): AuditValues {
  return {
    ...auditedCreative(ad),
    status: ad.status,
    reviewedAt: ad.reviewed_at?.toISOString() ?? null,
    rejectionNote: ad.rejection_note,
    subscription: {
      status: ad.subscription_status,
      ...(ad.refund_due_since === null ? {} : { refundDueSince: ad.refund_due_since.toISOString() }),
    },
  };
}

/** The creative of an ad or a revision, for the audit log. */
export function auditedCreative(row: ProposedCreative) {
  const meta = Object.entries(submittedValues(row)).map(([fieldId, value]) => ({ fieldId, value }));
  return { name: row.name, websiteUrl: row.website_url, meta };
}
