import { clickRateHint } from "#libs/domain/click-rate.ts";
import type { Counts, fillDays } from "#libs/domain/stats-window.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats, LOCALE } from "../../mail/formats.ts";

/** Counts per UTC day, oldest first, and in total. */
export type DailyCounts = ReturnType<typeof fillDays>;

/** In units of the drawing, which stretches to the available width. */
const DAY = 10;
const GAP = 2;
const HEIGHT = 100;
const SHORT_DAY = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", timeZone: "UTC" });

/** Totals, one bar per day for impressions and for clicks, and the same as a table. The last day is today, which is not over. */
export function statsChart({ rows, totals }: DailyCounts): Html {
  const hint = clickRateHint(totals);
  return html`<dl class="stats">
<div><dt>Impressions</dt><dd>${formats.count(totals.impressions)}</dd></div>
<div><dt>Clicks</dt><dd>${formats.count(totals.clicks)}</dd></div>
<div><dt>CTR</dt><dd>${formats.clickRate(totals)}</dd>${hint === undefined ? null : html`<dd class="hint">${hint}</dd>`}</div>
</dl>
<p class="hint"><a href="/v1/docs/counting">How this is counted</a></p>
${totals.impressions === 0 && totals.clicks === 0 ? NOTHING_YET : charts(rows)}`;
}

const NOTHING_YET = html`<p>No activity in this period. New impressions appear within seconds.</p>`;

function charts(rows: DailyCounts["rows"]): Html {
  return html`${bars("Impressions", "impressions", rows)}
${bars("Clicks", "clicks", rows)}
<p class="hint">Days in UTC. The light bar is today so far.</p>
<details><summary>Daily breakdown</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Impressions and clicks per day"><table>
<thead><tr><th scope="col">Day</th><th scope="col">Impressions</th><th scope="col">Clicks</th><th scope="col">CTR</th></tr></thead>
<tbody>${rows.toReversed().map(tableRow)}</tbody>
</table></div></details>`;
}

function bars(name: string, kind: keyof Counts, rows: DailyCounts["rows"]): Html {
  const days = rows.map((row) => ({ day: dayName(row.date), count: row[kind] }));
  const most = Math.max(0, ...days.map(({ count }) => count));
  const top = roundTop(most);
  const shapes = days.map(({ day, count }, index) => {
    const height = barHeight(count, top);
    const isToday = index === days.length - 1;
    return html`<rect${isToday ? html` class="today"` : ""} x="${String(index * DAY + GAP / 2)}" y="${String(HEIGHT - height)}" width="${String(DAY - GAP)}" height="${String(height)}"><title>${day}${isToday ? ", so far" : ""}: ${formats.count(count)}</title></rect>`;
  });
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  const named = [rows[0], rows[Math.floor((rows.length - 1) / 2)], rows.at(-1)].flatMap((row) => row ?? []);
  return html`<figure class="chart"><figcaption>${name}<span class="hint">Peak: ${formats.count(most)}</span></figcaption>
<div class="plot"><p class="scale" aria-hidden="true"><span>${formats.count(top)}</span><span>0</span></p>
<svg viewBox="0 0 ${String(days.length * DAY)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${name} per day from ${first} to ${last}, at most ${formats.count(most)}">${shapes}</svg></div>
<p class="axis" aria-hidden="true">${named.map(({ date }) => html`<span>${SHORT_DAY.format(new Date(date))}</span>`)}</p></figure>`;
}

/** In units of the drawing; any count above zero is visible. */
function barHeight(count: number, top: number): number {
  if (count <= 0) return 0;
  return Math.max(1, Math.round((HEIGHT * count * 10) / top) / 10);
}

/** The end of an axis up to `most`: 1, 2 or 5 times a power of ten. */
function roundTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= most) ?? most;
}

function tableRow({ date, ...counts }: DailyCounts["rows"][number]): Html {
  return html`<tr><th scope="row">${dayName(date)}</th><td>${formats.count(counts.impressions)}</td><td>${formats.count(counts.clicks)}</td><td>${formats.clickRate(counts)}</td></tr>`;
}

function dayName(date: string): string {
  return formats.day(new Date(date));
}
