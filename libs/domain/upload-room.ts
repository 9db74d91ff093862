import type { Refusal } from "./error-reasons.ts";

/** The part of a workspace's quota that only its publisher may fill, so that no advertiser can block the publisher's uploads. */
const KEPT_FOR_PUBLISHER = 1 / 5;
/** The part that files for free ads may take together. Anybody can have any number of those, which must not block buyers who pay. */
const OF_FREE_ADS = 3 / 5;
/** The part of the quota that the unused files of one checkout, copies included, may take, so that it cannot block those of others. */
const OF_ONE_CHECKOUT = 1 / 8;

/** The part of the quota that one network may ask for by free checkouts, as uploads and copies, for as long as unused files are kept. */
const OF_FREE_BUYER = 1 / 8;

/** Bytes that any file counts as at least: its record costs as much as a small file, and all of a workspace are summed for each grant. */
export const LEAST_COUNTED = 16 * 1024;

const MEBIBYTE = 1024 * 1024;

/** Who uploads: the publisher, or an advertiser, through a checkout or as an image that we copy from another site. */
export type Uploader =
  | "publisher"
  | {
      /** What all files for free ads of the workspace count, open grants included; null for a file of an ad at a price. */
      readonly storedFree: number | null;
      /** Null for an icon, and for an ad that nobody bought. */
      readonly checkout: {
        /** Files of the checkout that its ad does not use as images, granted or sent. */
        readonly unused: { readonly count: number; readonly bytes: number };
        /** The most of them. */
        readonly mostUnused: number;
      } | null;
    };

/**
 * Why a file of `bytes` has no room, null if it has. `stored` and `quota` are what all uploads of the workspace count, open grants
 * included, and the most of it. A checkout without unused files may always have one.
 */
export function uploadRefusal(
  uploader: Uploader,
  bytes: number,
  { stored, quota }: { readonly stored: number; readonly quota: number },
): Refusal | null {
  const counted = countedBytes(bytes);
  const isPublishers = uploader === "publisher";
  const storedFree = isPublishers ? null : uploader.storedFree;
  const isFull = stored + counted > (isPublishers ? quota : quota * (1 - KEPT_FOR_PUBLISHER));
  if (isFull || (storedFree !== null && storedFree + counted > quota * OF_FREE_ADS)) {
    const kept = isPublishers ? "" : ", a fifth of it for the publisher alone";
    const paid = isFull ? "" : " and another for advertisers who pay";
    const inAll = `its uploads may take ${Math.floor(quota / MEBIBYTE)} MiB in all${kept}${paid}`;
    return {
      reason: "UPLOAD_QUOTA_REACHED",
      sentence: `The workspace has no room for this file: ${inAll}.`,
    };
  }
  if (isPublishers || uploader.checkout === null || uploader.checkout.unused.count === 0) return null;
  const { unused, mostUnused } = uploader.checkout;
  if (unused.count < mostUnused && unused.bytes + bytes <= quota * OF_ONE_CHECKOUT) return null;
  const sentence = `This checkout has ${unused.count} uploads that its ad does not use as images. Submit the ad, or try again when the unused ones have been removed.`;
  return { reason: "TOO_MANY_OPEN_UPLOADS", sentence };
}

/** What a file of that length counts. */
function countedBytes(bytes: number): number {
  return Math.max(bytes, LEAST_COUNTED);
}

/**
 * What a network may ask for of `quota` by free checkouts, and what a file takes of it, both in units of `LEAST_COUNTED`. A file of
 * `most` bytes, the largest, always fits.
 */
export function freeShare(bytes: number, { quota, most }: { readonly quota: number; readonly most: number }) {
  const units = (size: number) => Math.ceil(countedBytes(size) / LEAST_COUNTED);
  return { points: Math.max(units(quota * OF_FREE_BUYER), units(most)), cost: units(bytes) };
}
