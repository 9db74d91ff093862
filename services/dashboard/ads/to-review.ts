import type { z } from "zod";
import type { revision } from "#libs/contract/revisions.ts";
import type { ListedAd } from "./ad-shapes.ts";

export type Revision = z.output<typeof revision>;

/** Something that waits for the publisher's decision. */
export interface ToReview {
  readonly adId: string;
  readonly kind: "ad" | "revision";
  readonly name: string;
  readonly websiteUrl: string;
  /** Of a revision nothing but its creative is known in a list. */
  readonly ad: ListedAd | null;
  readonly since: string;
}

/**
 * What waits for the publisher, the longest wait first. Where changes were asked for, the advertiser is the one who is
 * waited for: those are left out.
 */
export function listToReview(pending: readonly ListedAd[], revisions: readonly Revision[]): ToReview[] {
  const ads = pending
    .filter((ad) => ad.status === "Pending" && ad.rejectionNote === null)
    .map((ad): ToReview => {
      const { id: adId, name, websiteUrl, createdAt: since } = ad;
      return { adId, kind: "ad", name, websiteUrl, ad, since };
    });
  const edits = revisions
    .filter(({ note }) => note === null)
    .map(({ adId, name, websiteUrl, submittedAt: since }): ToReview => {
      return { adId, kind: "revision", name, websiteUrl, ad: null, since };
    });
  return [...ads, ...edits].toSorted((a, b) => a.since.localeCompare(b.since));
}
