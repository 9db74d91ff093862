import { imageSize } from "image-size";
import { detectImageType, type ImageType } from "./image.ts";
import { type ImageSize, LONGEST_SIDE } from "./image-rules.ts";
import { jpegHeaderOf } from "./jpeg-header.ts";

/** How much of a file is looked at: cameras and editors put a preview and a color profile in front of a JPEG's size. */
export const IMAGE_HEADER_BYTES = 256 * 1024;

/** The name of the box with a size in an AVIF (ISO/IEC 23008-12), which comes after its length. */
const SIZE_BOX = "ispe";
/** Length, name, version and flags, width, height: 32 bits each. */
const SIZE_BOX_BYTES = 20;
/** No box of a header is longer. Four letters are, so these are no lengths of boxes that are called `ispe` by chance. */
const LONGEST_BOX = 0xff_ff_ff;

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

/** What the decoder calls each type that it reads. */
const NAMES: Readonly<Record<Exclude<ImageType, "image/avif">, string>> = {
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
  // The decoder knows many more types, and a made-up file of some keeps it busy for long.
  if (start.length < SHORTEST[type] || detectImageType(start) !== type) return null;
  const looked = start.subarray(0, IMAGE_HEADER_BYTES);
  if (type === "image/avif") return avifSizeOf(looked);
  const header = type === "image/jpeg" ? jpegHeaderOf(looked) : looked;
  if (header === null) return null;
  try {
    const { width, height, orientation = 1, type: name } = imageSize(header);
    // Past the end of a file the decoder reads NaN.
    if (name !== NAMES[type] || !Number.isInteger(width) || !Number.isInteger(height)) return null;
    return orientation >= LYING ? { width: height, height: width } : { width, height };
  } catch {
    // Whatever a made-up header trips over, it is damaged.
    return null;
  }
}

/**
 * The largest of the sizes in an AVIF, which has those of its tiles and previews too. The decoder is not asked: it takes time by
 * the square of the number of sizes, subtracts from the width what a file says of cropping, and needs the whole header.
 */
function avifSizeOf(start: Buffer): ImageSize | null {
  let largest: ImageSize | null = null;
  for (let at = start.indexOf(SIZE_BOX, 4); at !== -1; at = start.indexOf(SIZE_BOX, at + 4)) {
    const length = start.readUInt32BE(at - 4);
    if (length > LONGEST_BOX) continue;
    if (length !== SIZE_BOX_BYTES || at + SIZE_BOX_BYTES - 4 > start.length) return null;
    const size = { width: start.readUInt32BE(at + 8), height: start.readUInt32BE(at + 12) };
    if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
