import { imageSize } from "image-size";
import { detectImageType, type ImageType } from "./image.ts";
import { type ImageSize, LONGEST_SIDE } from "./image-rules.ts";

/** How much of a file is looked at: cameras and editors put a preview and a color profile in front of a JPEG's size. */
export const IMAGE_HEADER_BYTES = 256 * 1024;
/** Far less for AVIF, whose size stands near the front: reading many made-up boxes takes time by the square. */
const AVIF_HEADER_BYTES = 64 * 1024;

/** The most pixels in all: a small file can unpack to gigabytes in a visitor's browser. */
const MOST_PIXELS = 16_777_216;

/** Bytes. A shorter file breaks off in its header, and the decoder would read zeros for the rest. */
const SHORTEST: Readonly<Record<ImageType, number>> = {
  "image/png": 33,
  "image/jpeg": 100,
  "image/webp": 26,
  "image/gif": 13,
  "image/avif": 100,
};

/** The orientations from here on turn an image by a quarter. */
const LYING = 5;

/** What the decoder calls each type; AVIF goes by its brand, which `detectImageType` has looked at. */
const NAMES: Readonly<Partial<Record<ImageType, string>>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
};

/**
 * What is wrong with a file that should be an image of that type, as a sentence; null when its content is of the type,
 * its header can be read and its size is one that browsers show without harm. `start` are the file's first bytes.
 */
export function imageProblem(start: Buffer, type: ImageType): string | null {
  if (detectImageType(start) !== type) return `The file is no image of the type ${type}.`;
  const size = imageSizeOf(start, type);
  if (size === null) return "The image is damaged: its size cannot be read.";
  const { width, height } = size;
  if (width < 1 || height < 1) return "The image has no pixels.";
  if (width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_PIXELS) {
    return `The image has ${width} × ${height} pixels; no side may have over ${LONGEST_SIDE}, and all over ${MOST_PIXELS}.`;
  }
  return null;
}

/** The size of an image as browsers show it, turned as its camera says; null for a file that is damaged or of another type. */
export function imageSizeOf(start: Buffer, type: ImageType): ImageSize | null {
  if (start.length < SHORTEST[type]) return null;
  try {
    const looked = type === "image/avif" ? AVIF_HEADER_BYTES : IMAGE_HEADER_BYTES;
    const { width, height, orientation = 1, type: name } = imageSize(start.subarray(0, looked));
    const expected = NAMES[type] ?? name;
    // Past the end of a file the decoder reads NaN.
    if (expected !== name || !Number.isInteger(width) || !Number.isInteger(height)) return null;
    return orientation >= LYING ? { width: height, height: width } : { width, height };
  } catch {
    // Whatever a made-up header trips over, it is damaged.
    return null;
  }
}
