import { crc32, deflateSync } from "node:zlib";

/** What a picture shows. */
export type Motif = "hills" | "rings" | "bars" | "dots" | "waves" | "leaves" | "steps";

/** Red, green and blue, as `0xrrggbb`: the ground, and three colors on it. */
export type Palette = readonly [number, number, number, number];

/** In pixels: the size that the demo's image field recommends. */
export const PICTURE = { width: 600, height: 500 } as const;

/** The color of a place in the palette, by motif. */
const MOTIFS: Readonly<Record<Motif, (x: number, y: number) => number>> = {
  hills: (x, y) => {
    if (y > 330 + 70 * Math.sin(x / 90)) return 3;
    if (y > 260 + 60 * Math.sin(x / 120 + 2)) return 2;
    return (x - 430) ** 2 + (y - 130) ** 2 < 70 ** 2 ? 1 : 0;
  },
  rings: (x, y) => Math.floor(Math.hypot(x - 300, y - 250) / 45) % 4,
  bars: (x, y) => {
    const bar = Math.floor(x / 75);
    const isInside = x % 75 > 14 && y > 420 - ((bar * 137) % 320);
    return isInside && y < 440 ? 1 + (bar % 3) : 0;
  },
  dots: (x, y) => {
    const [column, row] = [Math.floor(x / 100), Math.floor(y / 100)];
    const isInside = (x - column * 100 - 50) ** 2 + (y - row * 100 - 50) ** 2 < (18 + 5 * row) ** 2;
    return isInside ? 1 + ((column + row) % 3) : 0;
  },
  waves: (x, y) => Math.floor((y + 30 * Math.sin(x / 60)) / 70 + 1) % 4,
  leaves: (x, y) => {
    const [across, down] = [(x % 200) - 100, (y % 170) - 85];
    const isLeaf = Math.abs(across) < 60 * Math.cos((Math.PI * down) / 150) && Math.abs(down) < 75;
    if (!isLeaf) return 0;
    return Math.abs(across) < 4 ? 3 : 1 + (Math.floor(x / 200) % 2);
  },
  steps: (x, y) => {
    const step = Math.floor(x / 120);
    return y > 430 - step * 75 ? 1 + (step % 3) : 0;
  },
};

/** A PNG of a motif in the colors of the palette. */
export function drawPicture(motif: Motif, palette: Palette): Buffer {
  const { width, height } = PICTURE;
  const colorOf = MOTIFS[motif];
  // Each row begins with its filter: none.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = colorOf(x, y);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, of a palette.
  header.set([8, 3], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", colors),
    chunk("IDAT", deflateSync(rows, { level: 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
