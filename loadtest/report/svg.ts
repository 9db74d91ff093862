import { significant } from "../measure/statistics.ts";
import type { Bar, Chart } from "./charts.ts";
import { escapeHtml } from "./escape.ts";

const WIDTH = 720;
const LABELS = 250;
const VALUES = 90;
const ROW = 22;
const PLOT_HEIGHT = 220;
const PAD = 40;
const COLOURS = ["#2f6fb7", "#c65b28", "#3a8f5c", "#7b4fa3", "#a8862b", "#5a6b7b"];
const TICKS = 4;

type Lines = Extract<Chart, { kind: "lines" }>;

/** A chart as inline SVG. */
export function svgOf(chart: Chart): string {
  return chart.kind === "bars" ? barsOf(chart.bars, chart.title) : linesOf(chart);
}

function barsOf(bars: readonly Bar[], title: string): string {
  const most = Math.max(
    Number.MIN_VALUE,
    ...bars.flatMap(({ value, range }) => finite([value, ...(range ?? [])])),
  );
  const scale = (value: number) => round((Math.max(0, value) / most) * (WIDTH - LABELS - VALUES));
  const rows = bars.map(({ label, value, range }, nth) => {
    const y = nth * ROW;
    const known = Number.isFinite(value);
    const end = LABELS + scale(known ? Math.max(value, range?.[1] ?? value) : 0);
    return [
      text(LABELS - 8, y + 15, label, "end"),
      known &&
        `<rect x="${LABELS}" y="${y + 3}" width="${scale(value)}" height="${ROW - 7}" fill="${colourOf(label)}"/>`,
      range !== undefined &&
        `<path d="M${LABELS + scale(range[0])} ${y + ROW / 2}H${LABELS + scale(range[1])}" stroke="#222" stroke-width="2"/>`,
      text(end + 6, y + 15, known ? numberText(value) : "unknown", "start"),
    ]
      .filter((part) => part !== false)
      .join("");
  });
  return frame(bars.length * ROW + 4, title, rows.join(""));
}

function linesOf({ lines, logarithmic, along, title }: Lines): string {
  const points = lines.flatMap(({ points: all }) => all);
  const place = logarithmic ? (x: number) => Math.log10(Math.max(x, Number.MIN_VALUE)) : (x: number) => x;
  const xs = finite(points.map(([x]) => place(x)));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const top = Math.max(Number.MIN_VALUE, ...finite(points.map(([, y]) => y)));
  const across = (x: number) =>
    round(PAD + 20 + ((place(x) - left) / (right - left || 1)) * (WIDTH - 2 * PAD - 40));
  const up = (y: number) => round(PAD / 2 + (1 - y / top) * (PLOT_HEIGHT - PAD));

  const grid = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const value = (top * tick) / TICKS;
    return `<path d="M${PAD + 20} ${up(value)}H${WIDTH - PAD}" stroke="#ddd"/>${text(PAD + 14, up(value) + 4, numberText(value), "end")}`;
  });
  const labels = [...new Set(points.map(([x]) => x))].filter(
    (_, nth, all) => nth % Math.ceil(all.length / 8) === 0,
  );
  const axis = labels.map((x) => text(across(x), PLOT_HEIGHT - 2, numberText(x), "middle"));
  const curves = lines.map(({ label, points: own }, nth) => {
    const colour = COLOURS[nth % COLOURS.length];
    const path = own.map(([x, y]) => `${across(x)},${up(y)}`).join(" ");
    const dots = own
      .map(([x, y]) => `<circle cx="${across(x)}" cy="${up(y)}" r="3" fill="${colour}"/>`)
      .join("");
    const key = text(PAD + 30 + nth * 200, PLOT_HEIGHT + 36, label, "start");
    const swatch = `<rect x="${PAD + 16 + nth * 200}" y="${PLOT_HEIGHT + 26}" width="10" height="10" fill="${colour}"/>`;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${swatch}${key}`;
  });
  const name = text(WIDTH / 2, PLOT_HEIGHT + 16, along, "middle");
  return frame(PLOT_HEIGHT + 44, title, [...grid, ...axis, ...curves, name].join(""));
}

function frame(height: number, title: string, inside: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${inside}</svg>`;
}

function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeHtml(content)}</text>`;
}

/** Placard stands out from what it is compared with. */
function colourOf(label: string): string {
  return (label.includes("Placard") ? COLOURS[0] : COLOURS[5]) ?? "";
}

function finite(values: readonly number[]): number[] {
  return values.filter(Number.isFinite);
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}

function numberText(value: number): string {
  return significant(value, 3).toLocaleString("en");
}
