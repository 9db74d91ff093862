import type { Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { IconType } from "#libs/domain/image.ts";
import type { DropReason } from "#libs/domain/letters.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import type { PublisherMail } from "#libs/domain/settings.ts";
import type { Timestamp } from "./column-values.ts";

/** A submitted image at an external address that we have not copied yet. */
export interface ExternalImage {
  readonly address: string;
  /** Failed attempts to copy it. */
  readonly attempts: number;
  /** When it is tried next, in ISO 8601; null after the last attempt. */
  readonly dueAt: string | null;
  /** The error of the last attempt, as a sentence; null before the first. */
  readonly problem: string | null;
}

/** A submission that changes were requested of. */
export interface NotedSubmission {
  /** The requested changes. */
  readonly note: string;
  readonly name: string;
  readonly website_url: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly images_elsewhere: Readonly<Record<string, ExternalImage>>;
}

/** The size of an uploaded image, null for a damaged one, and the version of its file that has it. */
export interface MeasuredUpload {
  readonly version: string;
  readonly size: { readonly width: number; readonly height: number } | null;
}

type PreviousSubmission = JSONColumnType<NotedSubmission | null, string | null | undefined, string | null>;

/** The tables of advertisers, ads and their images. */
export interface AdTables {
  advertisers: {
    id: string;
    workspace_id: string;
    name: string;
    email: string | null;
    provider_customer_id: string | null;
    /** When name and address were removed. */
    erased_at: Date | null;
    created_at: Timestamp;
    updated_at: Timestamp;
    changed_at: GeneratedAlways<Date>;
  };

  ads: {
    id: string;
    workspace_id: string;
    subscription_id: string;
    name: string;
    website_url: string;
    favicon_url: string | null;
    meta: JSONColumnType<Record<string, unknown>>;
    images_elsewhere: JSONColumnType<Record<string, ExternalImage>, string | undefined>;
    /** The number of submissions, edits of the approved ad included. */
    version: Generated<number>;
    /** When a pending ad was last submitted; null if it was only submitted once, at `created_at`. */
    submitted_at: Date | null;
    /** The submission before this one, if changes were requested of it; null after the next decision. */
    previous: PreviousSubmission;
    status: Generated<AdStatus>;
    reviewed_at: Date | null;
    rejection_note: string | null;
    serving_since: Date | null;
    serving_until: Date | null;
    created_at: Timestamp;
    updated_at: Timestamp;
    changed_at: GeneratedAlways<Date>;
  };

  revisions: {
    ad_id: string;
    workspace_id: string;
    name: string;
    website_url: string;
    meta: JSONColumnType<Record<string, unknown>>;
    images_elsewhere: JSONColumnType<Record<string, ExternalImage>, string | undefined>;
    /** The number of this submission among those of the ad. */
    version: Generated<number>;
    /** As for an ad. */
    previous: PreviousSubmission;
    note: string | null;
    submitted_at: Timestamp;
  };

  uploads: {
    key: string;
    workspace_id: string;
    granted_at: Date;
    due_at: Date;
    bytes: Generated<number>;
    arrived_at: Date | null;
    checkout_session_id: string | null;
    measured: JSONColumnType<MeasuredUpload | null, string | undefined>;
  };

  /** The result of the last search for the icon of a page's site. */
  favicon_lookups: {
    page: string;
    host: string;
    outcome: "found" | "none" | "unreachable";
    content_type: IconType | null;
    bytes: Buffer | null;
    asked_at: Date;
  };

  monthly_reports: {
    advertiser_id: string;
    /** In UTC, as `2026-10`. */
    month: string;
    workspace_id: string;
    queued_at: Timestamp;
  };

  /** Letters to a publisher that wait for their digest. */
  digest_lines: {
    id: Generated<number>;
    workspace_id: string;
    kind: PublisherMail;
    line: string;
    created_at: Timestamp;
  };

  /** Letters for a workspace that nobody received. */
  dropped_mails: {
    id: Generated<number>;
    workspace_id: string;
    recipient: "publisher" | "advertiser";
    kind: string;
    reason: DropReason;
    dropped_at: Timestamp;
  };

  report_unsubscribes: {
    advertiser_id: string;
    workspace_id: string;
    created_at: Timestamp;
  };
}
