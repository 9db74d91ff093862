import type { Refusal } from "./error-reasons.ts";

/** The part of a workspace's quota that only its publisher may fill, so that no advertiser can block the publisher's uploads. */
const KEPT_FOR_PUBLISHER = 1 / 5;
/** The part that no purchase at a price of 0 may fill, as anybody may make any number of them: so it cannot block buyers who pay. */
const KEPT_FOR_BUYERS_WHO_PAY = 1 / 5;
/** The part of the quota that the unused files of one checkout may take, so that it cannot block the uploads of others. */
const OF_ONE_CHECKOUT = 1 / 8;

/** Bytes that any file counts as at least: its record costs as much as a small file, and all of a workspace are summed for each grant. */
export const LEAST_COUNTED = 16 * 1024;

const MEBIBYTE = 1024 * 1024;
const FOR_PUBLISHER = ", a fifth of it for the publisher alone";

/** Who uploads: the publisher, or an advertiser, through a checkout or as an image that we copy from another site. */
export type Uploader =
  | { readonly kind: "publisher" }
  | { readonly kind: "copy" }
  | {
      readonly kind: "checkout";
      /** Whether its price is 0. */
      readonly isFree: boolean;
      /** Files of the checkout that its ad does not name, granted or sent. */
      readonly unused: { readonly count: number; readonly bytes: number };
      /** The most of them. */
      readonly mostUnused: number;
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
  const isPublishers = uploader.kind === "publisher";
  const isFree = uploader.kind === "checkout" && uploader.isFree;
  const kept = (isPublishers ? 0 : KEPT_FOR_PUBLISHER) + (isFree ? KEPT_FOR_BUYERS_WHO_PAY : 0);
  if (stored + Math.max(bytes, LEAST_COUNTED) > quota * (1 - kept)) {
    const forOthers = isFree ? ", two fifths of it for the publisher and buyers who pay" : FOR_PUBLISHER;
    const inAll = `its uploads may take ${Math.floor(quota / MEBIBYTE)} MiB in all${isPublishers ? "" : forOthers}`;
    return {
      reason: "UPLOAD_QUOTA_REACHED",
      sentence: `The workspace has no room for this file: ${inAll}.`,
    };
  }
  if (uploader.kind !== "checkout" || uploader.unused.count === 0) return null;
  const { unused, mostUnused } = uploader;
  if (unused.count < mostUnused && unused.bytes + bytes <= quota * OF_ONE_CHECKOUT) return null;
  const sentence = `This checkout has ${unused.count} uploads that its ad does not use. Submit the ad, or try again when the unused ones have been removed.`;
  return { reason: "TOO_MANY_OPEN_UPLOADS", sentence };
}
