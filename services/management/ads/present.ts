import type { ImageElsewhere } from "#libs/database/tables-creative.ts";
import { type CreativeContent, submittedValues } from "../image-copies/elsewhere.ts";
import type { AdRow } from "./queries.ts";

/** An ad in a list of the management surface: everything but its creative-field values. */
export function presentListedAd(row: AdRow) {
  return {
    ...presentCreative(row),
    subscription: {
      ...presentSubscription(row),
      advertiser: { id: row.advertiser_id, name: row.advertiser_name, email: row.advertiser_email ?? "" },
    },
  };
}

/** An ad in the management view. Values of fields that no longer exist are left out. */
export function presentAd(row: AdRow, fieldIds: ReadonlySet<string>) {
  return { ...presentListedAd(row), meta: presentMeta(row, fieldIds) };
}

/** An ad in the advertiser view. */
export function presentAdvertisersAd(row: AdRow, stats: { impressions: number; clicks: number }) {
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

/** An ad as the advertiser gets it back after submission. */
export function presentSubmittedAd(
  row: Parameters<typeof presentCreative>[0] & CreativeContent,
  fieldIds: ReadonlySet<string>,
) {
  return { ...presentCreative(row), meta: presentMeta(row, fieldIds) };
}

function presentCreative(
  row: Pick<
    AdRow,
    | "id"
    | "status"
    | "name"
    | "website_url"
    | "favicon_url"
    | "reviewed_at"
    | "rejection_note"
    | "created_at"
    | "updated_at"
  >,
) {
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

function presentSubscription(row: AdRow) {
  return {
    id: row.subscription_id,
    status: row.subscription_status,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    cancelAt: row.cancel_at?.toISOString() ?? null,
    canceledAt: row.canceled_at?.toISOString() ?? null,
    cancellationReason: row.cancellation_reason,
    cancellationFeedback: row.cancellation_feedback,
    cancellationComment: row.cancellation_comment,
    currentPeriodStart: row.current_period_start?.toISOString() ?? null,
    currentPeriodEnd: row.current_period_end?.toISOString() ?? null,
    paidAmount: row.paid_amount,
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

/**
 * Values by field, of the fields named: those of deleted ones, and of ones not for this reader, are left out. An image that
 * waits for its copy stands there with the address that was submitted, and with `copy`.
 */
export function presentMeta(content: CreativeContent, fieldIds: ReadonlySet<string>) {
  const { images_elsewhere: waiting } = content;
  return Object.entries(submittedValues(content))
    .filter(([fieldId]) => fieldIds.has(fieldId))
    .map(([fieldId, value]) => {
      const image = Object.hasOwn(content.meta, fieldId) ? undefined : waiting[fieldId];
      return { fieldId, value, ...(image === undefined ? {} : { copy: presentCopy(image) }) };
    });
}

function presentCopy({ dueAt, problem }: ImageElsewhere) {
  return { status: dueAt === null ? ("failed" as const) : ("pending" as const), problem };
}
