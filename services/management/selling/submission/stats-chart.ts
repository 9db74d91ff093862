import type { Counts, fillDays } from "#libs/domain/stats-window.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";

/** Counts per UTC day, oldest first, and in total. */
export type DailyCounts = ReturnType<typeof fillDays>;

/** In units of the drawing, which stretches to the available width. */
const DAY = 10;
const GAP = 2;
const HEIGHT = 100;

/** Totals, one bar per day for impressions and for clicks, and the same as a table. */
export function statsChart({ rows, totals }: DailyCounts): Html {
  return html`<dl class="stats">
<div><dt>Impressions</dt><dd>${formats.count(totals.impressions)}</dd></div>
<div><dt>Clicks</dt><dd>${formats.count(totals.clicks)}</dd></div>
<div><dt>CTR</dt><dd>${formats.share(totals.clicks, totals.impressions)}</dd></div>
</dl>
${totals.impressions === 0 && totals.clicks === 0 ? NOTHING_YET : charts(rows)}`;
}

const NOTHING_YET = html`<p>No activity in this period. New impressions appear within seconds.</p>`;

function charts(rows: DailyCounts["rows"]): Html {
  return html`${bars("Impressions", "impressions", rows)}
${bars("Clicks", "clicks", rows)}
<details><summary>Daily breakdown</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Impressions and clicks per day"><table>
<thead><tr><th scope="col">Day</th><th scope="col">Impressions</th><th scope="col">Clicks</th></tr></thead>
<tbody>${rows.toReversed().map(tableRow)}</tbody>
</table></div></details>`;
}

function bars(name: string, kind: keyof Counts, rows: DailyCounts["rows"]): Html {
  const days = rows.map((row) => ({ day: dayName(row.date), count: row[kind] }));
  const most = Math.max(0, ...days.map(({ count }) => count));
  const shapes = days.map(({ day, count }, index) => {
    const height = barHeight(count, most);
    return html`<rect x="${String(index * DAY + GAP / 2)}" y="${String(HEIGHT - height)}" width="${String(DAY - GAP)}" height="${String(height)}"><title>${day}: ${formats.count(count)}</title></rect>`;
  });
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  return html`<figure class="chart"><figcaption>${name}<span class="hint">Peak: ${formats.count(most)}</span></figcaption>
<svg viewBox="0 0 ${String(days.length * DAY)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${name} per day from ${first} to ${last}, at most ${formats.count(most)}">${shapes}</svg>
<p class="axis" aria-hidden="true"><span>${first}</span><span>${last}</span></p></figure>`;
}

/** In units of the drawing; any count above zero is visible. */
function barHeight(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0;
  return Math.max(1, Math.round((HEIGHT * count * 10) / most) / 10);
}

function tableRow({ date, impressions, clicks }: DailyCounts["rows"][number]): Html {
  return html`<tr><th scope="row">${dayName(date)}</th><td>${formats.count(impressions)}</td><td>${formats.count(clicks)}</td></tr>`;
}

function dayName(date: string): string {
  return formats.day(new Date(date));
}
