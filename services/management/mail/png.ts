import { crc32, deflateSync } from "node:zlib";

/** Red, green, blue and opacity, each from 0 to 255. */
export type Color = readonly [number, number, number, number];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bit depth 8, indexed color, default compression and filter, not interlaced. */
const INDEXED = [8, 3, 0, 0, 0];

/** Encodes a picture as PNG (ISO/IEC 15948). `pixels` has one byte per pixel, row by row: an index into the palette. */
export function encodePng(width: number, pixels: Buffer, palette: readonly Color[]): Buffer {
  const height = pixels.length / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(INDEXED, 8);
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) pixels.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((color) => color.slice(0, 3)))),
    chunk("tRNS", Buffer.from(palette.map(([, , , opacity]) => opacity))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}
