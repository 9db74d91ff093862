import type { Counts } from "#libs/domain/stats-window.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../page/price-words.ts";

/** Counts of UTC days, oldest first, and of all of them. */
export interface DailyCounts {
  readonly rows: readonly (Counts & { readonly date: string })[];
  readonly totals: Counts;
}

/** In units of the drawing, which is stretched to the width there is. */
const DAY = 10;
const GAP = 2;
const HEIGHT = 100;

/** Totals, a bar a day for impressions and for clicks, and the same as a table. */
export function statsChart({ rows, totals }: DailyCounts): Html {
  return html`<dl class="figures">
<div><dt>Impressions</dt><dd>${formats.count(totals.impressions)}</dd></div>
<div><dt>Clicks</dt><dd>${formats.count(totals.clicks)}</dd></div>
<div><dt>CTR</dt><dd>${formats.share(totals.clicks, totals.impressions)}</dd></div>
</dl>
${totals.impressions === 0 && totals.clicks === 0 ? NOTHING_YET : charts(rows)}`;
}

const NOTHING_YET = html`<p>Nothing was counted in these days. An impression shows here a few seconds after it happens.</p>`;

function charts(rows: DailyCounts["rows"]): Html {
  return html`${bars("Impressions", rows.map(withCount("impressions")))}
${bars("Clicks", rows.map(withCount("clicks")))}
<details><summary>Day by day</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Impressions and clicks day by day"><table>
<thead><tr><th scope="col">Day</th><th scope="col">Impressions</th><th scope="col">Clicks</th></tr></thead>
<tbody>${rows.toReversed().map(tableRow)}</tbody>
</table></div></details>`;
}

interface Bar {
  readonly day: string;
  readonly count: number;
}

function withCount(kind: keyof Counts) {
  return (row: DailyCounts["rows"][number]): Bar => ({ day: dayName(row.date), count: row[kind] });
}

function bars(name: string, days: readonly Bar[]): Html {
  const most = Math.max(0, ...days.map(({ count }) => count));
  const shapes = days.map(({ day, count }, index) => {
    const height = barHeight(count, most);
    return html`<rect x="${String(index * DAY + GAP / 2)}" y="${String(HEIGHT - height)}" width="${String(DAY - GAP)}" height="${String(height)}"><title>${day}: ${formats.count(count)}</title></rect>`;
  });
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  return html`<figure class="chart"><figcaption>${name}<span class="hint">highest day: ${formats.count(most)}</span></figcaption>
<svg viewBox="0 0 ${String(days.length * DAY)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${name} a day from ${first} to ${last}, at most ${formats.count(most)}">${shapes}</svg>
<p class="axis" aria-hidden="true"><span>${first}</span><span>${last}</span></p></figure>`;
}

/** In units of the drawing; what is there at all can be seen. */
export function barHeight(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0;
  return Math.max(1, Math.round((HEIGHT * count * 10) / most) / 10);
}

function tableRow({ date, impressions, clicks }: DailyCounts["rows"][number]): Html {
  return html`<tr><th scope="row">${dayName(date)}</th><td>${formats.count(impressions)}</td><td>${formats.count(clicks)}</td></tr>`;
}

function dayName(date: string): string {
  return formats.day(new Date(date));
}
