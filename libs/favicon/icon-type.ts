import { imageSize } from "image-size";
import { detectImageType, type IconType } from "#libs/domain/image.ts";

export interface Icon {
  readonly contentType: IconType;
  readonly bytes: Buffer;
}

/** Less is a tracking pixel. */
const SMALLEST_SIDE = 8;
/** A browser unpacks an image before it shows it small; from here on that costs visitors more than an icon is worth. */
const LARGEST_SIDE = 1024;

const ICO_START = Buffer.from([0, 0, 1, 0]);
const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const MOST_ICO_ENTRIES = 64;

/** The type of an icon by its bytes; null for what is no such image, and for one that is far too small or large. */
export function iconTypeOf(bytes: Buffer): IconType | null {
  if (bytes.subarray(0, ICO_START.length).equals(ICO_START)) return isIco(bytes) ? "image/x-icon" : null;
  const type = detectImageType(bytes);
  return type === null || type === "image/avif" || !hasGoodSize(bytes) ? null : type;
}

/** Whether every image that the directory of the file lists is there and is as small as one. */
function isIco(bytes: Buffer): boolean {
  const count = bytes.length < ICO_HEADER_BYTES ? 0 : bytes.readUInt16LE(4);
  const dataStart = ICO_HEADER_BYTES + count * ICO_ENTRY_BYTES;
  if (count < 1 || count > MOST_ICO_ENTRIES || bytes.length < dataStart) return false;
  return Array.from({ length: count }, (_, index) => ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES).every(
    (entry) => {
      const length = bytes.readUInt32LE(entry + 8);
      const start = bytes.readUInt32LE(entry + 12);
      if (start < dataStart || start + length > bytes.length) return false;
      const image = bytes.subarray(start, start + length);
      return detectImageType(image) === "image/png" ? hasGoodSize(image) : isSmallBitmap(image);
    },
  );
}

/** A bitmap within an ICO has no file header, and says twice its height: its transparency lies below it. */
function isSmallBitmap(image: Buffer): boolean {
  const infoBytes = image.length < 40 ? 0 : image.readUInt32LE(0);
  if (infoBytes < 40) return false;
  return isGoodSize(image.readInt32LE(4), Math.abs(image.readInt32LE(8)) / 2);
}

function hasGoodSize(bytes: Buffer): boolean {
  try {
    const { width, height } = imageSize(bytes);
    return isGoodSize(width, height);
  } catch {
    // It is not what its first bytes promise.
    return false;
  }
}

function isGoodSize(...sides: number[]): boolean {
  return sides.every((side) => side >= SMALLEST_SIDE && side <= LARGEST_SIDE);
}
