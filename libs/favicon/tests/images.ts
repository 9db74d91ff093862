/** A PNG as far as its header: what tells its type and size. */
export function aPng(side = 64, length = 100): Buffer {
  const png = Buffer.alloc(length, 1);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(png);
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  return png;
}

export function aGif(side = 32): Buffer {
  const gif = Buffer.alloc(64, 1);
  gif.write("GIF89a", "latin1");
  gif.writeUInt16LE(side, 6);
  gif.writeUInt16LE(side, 8);
  return gif;
}

export function aJpeg(side = 32): Buffer {
  const frame = Buffer.from(
    "ffd8ffe000104a46494600010100000100010000ffc0001108000000000301220002110103",
    "hex",
  );
  frame.writeUInt16BE(side, 25);
  frame.writeUInt16BE(side, 27);
  return Buffer.concat([frame, Buffer.alloc(64, 1)]);
}

export function aWebp(side = 32): Buffer {
  const webp = Buffer.alloc(64);
  webp.write("RIFF\x38\0\0\0WEBPVP8X\x0a\0\0\0", "latin1");
  webp.writeUIntLE(side - 1, 24, 3);
  webp.writeUIntLE(side - 1, 27, 3);
  return webp;
}

/** The bitmap of an ICO: its header, and nothing else. */
export function aBitmap(side = 32): Buffer {
  const bitmap = Buffer.alloc(48);
  bitmap.writeUInt32LE(40, 0);
  bitmap.writeInt32LE(side, 4);
  bitmap.writeInt32LE(side * 2, 8);
  return bitmap;
}

export function anIco(images: readonly Buffer[] = [aBitmap(16), aPng(32)]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let start = header.length;
  for (const [index, image] of images.entries()) {
    header.writeUInt32LE(image.length, 6 + 16 * index + 8);
    header.writeUInt32LE(start, 6 + 16 * index + 12);
    start += image.length;
  }
  return Buffer.concat([header, ...images]);
}
