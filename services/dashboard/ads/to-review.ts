import type { ListedAd } from "#libs/contract/ad.ts";
import type { Revision } from "#libs/contract/revisions.ts";

/** Something that waits for the publisher's review. */
export interface ToReview {
  readonly adId: string;
  readonly kind: "ad" | "revision";
  readonly name: string;
  readonly websiteUrl: string;
  /** Null for an edit, whose list has only the content. */
  readonly ad: ListedAd | null;
  readonly since: string;
}

/** The review queue, the longest wait first. Ads and edits with requested changes wait for the advertiser instead. */
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
