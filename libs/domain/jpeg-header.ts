/** What a JPEG begins with, and a segment without content. */
const JPEG_BEGIN = Buffer.from("ffd8", "hex");
const NO_SEGMENT = Buffer.from("ffe00002", "hex");
/** Markers of a JPEG's segments (ITU-T T.81): with a size, of the picture itself, of the end. */
const SIZES: readonly number[] = [0xc0, 0xc1, 0xc2];
const PICTURE = 0xda;
const JPEG_END = 0xd9;
/** What a segment that says how an image is turned begins with: `Exif`. */
const EXIF = 0x45_78_69_66;

/**
 * A JPEG of nothing but the segments that tell its size and how it is turned; null without a size in front of its picture. The
 * decoder goes byte by byte through what is no segment, at a cost for each. As browsers do, this skips such bytes.
 */
export function jpegHeaderOf(start: Buffer): Buffer | null {
  let turned: readonly [number, number] | null = null;
  for (let at = JPEG_BEGIN.length; at + 4 <= start.length; ) {
    const marker = start[at + 1] ?? 0;
    if (start[at] !== 0xff || !hasLength(marker)) {
      at += 1;
      continue;
    }
    const end = at + 2 + start.readUInt16BE(at + 2);
    if (end < at + 4 || marker === PICTURE || marker === JPEG_END) return null;
    if (SIZES.includes(marker)) {
      const before = turned === null ? NO_SEGMENT : start.subarray(...turned);
      return Buffer.concat([JPEG_BEGIN, before, start.subarray(at, end)]);
    }
    if (end >= at + 8 && end <= start.length && start.readUInt32BE(at + 4) === EXIF) turned = [at, end];
    at = end;
  }
  return null;
}

/** Neither a byte of a picture, nor filling, nor one of the markers that stand alone. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd8);
}
