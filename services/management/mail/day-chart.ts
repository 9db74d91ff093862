import { type Color, encodePng } from "./png.ts";

/** The counts of a day and of the one that it is compared with; null where nothing can be known. */
export interface ChartedDay {
  readonly count: number | null;
  readonly before: number | null;
}

/** The width at which letters show a chart. It is drawn with twice as many pixels, for sharp screens. */
export const CHART_WIDTH = 504;
const WIDTH = 2 * CHART_WIDTH;
const HEIGHT = 240;
/** Below the bars. */
const LINE = 2;

/** Indexes into the palette. The background (0) is transparent and takes the letter's color. */
const [NOW, BEFORE, AXIS] = [1, 2, 3];
const PALETTE: readonly Color[] = [
  [255, 255, 255, 0],
  [59, 91, 219, 255],
  [173, 184, 224, 255],
  [140, 147, 160, 255],
];

/** Draws a pair of bars for each day, the pale one the day before, as PNG. A count above 0 has a bar that can be seen. */
export function drawDays(days: readonly ChartedDay[]): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT);
  const top = Math.max(1, ...days.flatMap(({ count, before }) => [count ?? 0, before ?? 0]));
  const room = HEIGHT - LINE;
  const fill = (color: number, left: number, right: number, height: number) => {
    for (let y = room - height; y < room; y += 1) pixels.fill(color, y * WIDTH + left, y * WIDTH + right);
  };
  const heightOf = (count: number | null) =>
    count === null || count === 0 ? 0 : Math.max(4, Math.round((count / top) * room));
  const edge = (n: number) => Math.round((n * WIDTH) / days.length);
  days.forEach(({ count, before }, index) => {
    const [left, right] = [edge(index), edge(index + 1)];
    const gap = Math.max(1, Math.round((right - left) / 8));
    const middle = Math.round(left + (right - left) * 0.4);
    fill(BEFORE, left + gap, middle, heightOf(before));
    fill(NOW, middle, right - gap, heightOf(count));
  });
  pixels.fill(AXIS, room * WIDTH);
  return encodePng(WIDTH, pixels, PALETTE);
}
