import { clickRateHint } from "#libs/domain/click-rate.ts";
import type { Counts } from "#libs/domain/stats-window.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";

/** The counts of a day, a week or a month. */
export interface TimeCounts extends Counts {
  readonly name: string;
  /** Below the chart. */
  readonly shortName: string;
  /** False for the last, of which more may be counted. */
  readonly isOver: boolean;
}

/** What charts say of their times. */
export interface TimeWords {
  readonly per: "day" | "week" | "month";
  /** In whose days, and what the light bar is. */
  readonly note: string;
}

/** In units of the drawing, which stretches to the available width. */
const DAY = 10;
const GAP = 2;
const HEIGHT = 100;

/** Totals, and what is beside the third of them. */
export function totalsList(totals: Counts, more: Html | null = null): Html {
  const hint = clickRateHint(totals);
  return html`<dl class="stats">
<div><dt>Impressions</dt><dd>${formats.count(totals.impressions)}</dd></div>
<div><dt>Clicks</dt><dd>${formats.count(totals.clicks)}</dd></div>
<div><dt>CTR</dt><dd>${formats.clickRate(totals)}</dd>${hint === undefined ? null : html`<dd class="hint">${hint}</dd>`}</div>
${more}</dl>
<p class="hint"><a href="/v1/docs/counting">How this is counted</a></p>`;
}

/** One bar per time for impressions and for clicks, and the same as a table; a sentence where nothing was counted. */
export function timeCharts(times: readonly TimeCounts[], words: TimeWords): Html {
  if (times.every(({ impressions, clicks }) => impressions === 0 && clicks === 0)) return NOTHING_YET;
  const { per } = words;
  return html`${bars("Impressions", "impressions", times, per)}
${bars("Clicks", "clicks", times, per)}
<p class="hint">${words.note}</p>
<details><summary>${BREAKDOWNS[per]}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Impressions and clicks per ${per}"><table>
<thead><tr><th scope="col">${capital(per)}</th><th scope="col">Impressions</th><th scope="col">Clicks</th><th scope="col">CTR</th></tr></thead>
<tbody>${times.toReversed().map(tableRow)}</tbody>
</table></div></details>`;
}

const NOTHING_YET = html`<p>No activity in this period. New impressions appear within seconds.</p>`;
const BREAKDOWNS = { day: "Daily breakdown", week: "Weekly breakdown", month: "Monthly breakdown" } as const;

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function bars(name: string, kind: keyof Counts, times: readonly TimeCounts[], per: TimeWords["per"]): Html {
  const most = Math.max(0, ...times.map((time) => time[kind]));
  const top = roundTop(most);
  const shapes = times.map(({ name: time, isOver, [kind]: count }, index) => {
    const height = barHeight(count, top);
    return html`<rect${isOver ? "" : html` class="today"`} x="${String(index * DAY + GAP / 2)}" y="${String(HEIGHT - height)}" width="${String(DAY - GAP)}" height="${String(height)}"><title>${time}${isOver ? "" : ", so far"}: ${formats.count(count)}</title></rect>`;
  });
  const [first, last] = [times[0]?.name ?? "", times.at(-1)?.name ?? ""];
  const named = new Set([times[0], times[Math.floor((times.length - 1) / 2)], times.at(-1)]);
  return html`<figure class="chart"><figcaption>${name}<span class="hint">Peak: ${formats.count(most)}</span></figcaption>
<div class="plot"><p class="scale" aria-hidden="true"><span>${formats.count(top)}</span><span>0</span></p>
<svg viewBox="0 0 ${String(times.length * DAY)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${name} per ${per} from ${first} to ${last}, at most ${formats.count(most)}">${shapes}</svg></div>
<p class="axis" aria-hidden="true">${[...named].map((time) => html`<span>${time?.shortName ?? ""}</span>`)}</p></figure>`;
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

function tableRow({ name, ...counts }: TimeCounts): Html {
  return html`<tr><th scope="row">${name}</th><td>${formats.count(counts.impressions)}</td><td>${formats.count(counts.clicks)}</td><td>${formats.clickRate(counts)}</td></tr>`;
}
