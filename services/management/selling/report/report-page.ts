import { ADVERTISER_STEPS, type AdvertiserStep } from "#libs/domain/advertiser-report.ts";
import type { PlaceDimension } from "#libs/domain/report-dimensions.ts";
import { DIMENSION_WORDS, valueWords } from "#libs/domain/report-words.ts";
import { dateOfDay, dayOfDate } from "#libs/domain/report-zone.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import type { AdQuestion, AdReport, AdTime, AdValue } from "../../reports/of-ad.ts";
import { attribute, flag, type PageContent, type ShownPublisher } from "../page/layout.ts";
import { type Refusal, sentencesOf } from "../page/refusal.ts";
import { timeCharts, totalsList } from "../page/stats-chart.ts";
import { type EmailsShown, emailForm } from "./email-form.ts";

/** A report's page: of an advertiser, who can share it, or of anybody it is shared with. */
export interface ReportView {
  readonly publisher: ShownPublisher;
  readonly adName: string;
  /** The path of the page. */
  readonly path: string;
  /** What the publisher lets advertisers split by. */
  readonly splits: readonly PlaceDimension[];
  /** Days that the publisher has corrected, and why. */
  readonly corrections: readonly { readonly from: string; readonly to: string; readonly reason: string }[];
  /** Null for anybody it is shared with. */
  readonly own: {
    readonly adPath: string;
    readonly sharedAt: string | null;
    /** Null where reports by email reach nobody. */
    readonly emails: EmailsShown | null;
    /** They have just chosen them. */
    readonly isSaved: boolean;
  } | null;
}

/** Values that a page lists; the file has all. */
const MOST_LISTED = 50;
/** Corrections that are shown until the reader opens the others. */
const MOST_CORRECTIONS = 5;
const PRESETS = [
  { days: 7, words: "7 days" },
  { days: 30, words: "30 days" },
  { days: 90, words: "90 days" },
  { days: 365, words: "A year" },
] as const;
const STEP_WORDS: Readonly<Record<AdvertiserStep, string>> = { day: "Day", week: "Week", month: "Month" };

/** The report of an ad, or why there is none, with the form that asks for another. */
export function reportPage(view: ReportView, question: AdQuestion, answer: AdReport | Refusal): PageContent {
  const { publisher, adName, own } = view;
  const isReport = "times" in answer;
  const asked = parametersOf(question, isReport ? answer : question);
  return {
    title: `Report: ${adName} – ${publisher.name}`,
    publisher,
    isPrivate: true,
    content: html`<div class="headline"><h1>${adName}</h1>${own === null ? null : html`<a href="${own.adPath}">Back to your ad</a>`}</div>
<p class="lead">${isReport ? `${periodWords(answer)}. Days in ${answer.timeZone}.` : "Report"}</p>
${isReport ? presets(view, question, answer) : null}
${questionForm(view, question, isReport ? answer : null)}
${isReport ? report(view, question, answer) : html`<div class="note bad" role="alert">${sentencesOf(answer).map((sentence) => html`<p>${sentence}</p>`)}</div>`}
${own === null || own.emails === null ? null : emailForm(`${view.path}/emails?${asked}`, publisher.name, own.emails, own.isSaved)}
${own === null ? null : sharing(view, own, asked)}`,
  };
}

function periodWords({ from, to }: { readonly from: string; readonly to: string }): string {
  const [first, last] = [formats.day(new Date(from)), formats.day(new Date(to))];
  return first === last ? first : `${first} – ${last}`;
}

function presets({ path }: ReportView, { step, split }: AdQuestion, { from, to, today }: AdReport): Html {
  const links = PRESETS.map(({ days, words }) => {
    const first = dateOfDay((dayOfDate(today) ?? 0) - days + 1);
    const isShown = from === first && to === today;
    return html`<a href="${path}?${parametersOf({ step, split }, { from: first, to: today })}"${attribute("aria-current", isShown ? "true" : null)}>${words}</a>`;
  });
  return html`<nav class="periods" aria-label="Period">${links}</nav>`;
}

function questionForm({ path, splits }: ReportView, question: AdQuestion, shown: AdReport | null): Html {
  const { step, split } = question;
  const steps = ADVERTISER_STEPS.map(
    (one) => html`<option value="${one}"${flag("selected", one === step)}>${STEP_WORDS[one]}</option>`,
  );
  const choices = splits.map(
    (one) => html`<option value="${one}"${flag("selected", one === split)}>${DIMENSION_WORDS[one]}</option>`,
  );
  return html`<form class="card ask" method="get" action="${path}">
${dateField("from", "From", question.from ?? shown?.from)}
${dateField("to", "To", question.to ?? shown?.to)}
<div class="field"><label for="per">By</label><select id="per" name="per">${steps}</select></div>
${
  choices.length === 0
    ? null
    : html`<div class="field"><label for="split">Split by</label><select id="split" name="split"><option value="">Nothing</option>${choices}</select></div>`
}
<button class="second">Show</button>
</form>`;
}

function dateField(name: "from" | "to", label: string, value: string | undefined): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${value ?? ""}"></div>`;
}

function report(view: ReportView, question: AdQuestion, answer: AdReport): Html {
  const { step, split } = question;
  const { counts, compared, before } = answer;
  const note = `Days in ${answer.timeZone}.${answer.times.at(-1)?.isOver === false ? ` The light bar is this ${step} so far.` : ""}`;
  const notCounted =
    counts && html`<div><dt>Not counted</dt><dd>${formats.count(counts.invalid)}</dd></div>\n`;
  const earlier =
    before === null || compared === null
      ? null
      : html`<p class="hint">${periodWords(before)}: ${formats.count(compared.impressions)} impressions, ${formats.count(compared.clicks)} clicks.</p>`;
  return html`<section class="card" aria-labelledby="totals"><h2 id="totals">Totals</h2>
${totalsList(counts ?? NOTHING, notCounted)}
${earlier}
${timeCharts(
  answer.times.map((time) => shownTime(time, step)),
  { per: step, note },
)}
</section>
${corrected(view, answer)}
${split === null || answer.values === null ? null : splitTable(split, answer.values)}
<p class="actions"><a class="button second" href="${view.path}.csv?${parametersOf(question, answer)}">Download CSV</a></p>`;
}

/** The corrections that the period of the report has days of. */
function corrected({ publisher, corrections }: ReportView, { from, to }: AdReport): Html | null {
  const shown = corrections.filter((one) => one.from <= to && one.to >= from);
  if (shown.length === 0) return null;
  return html`<section class="card" aria-labelledby="corrections"><h2 id="corrections">Corrections</h2>
<p>${publisher.name} found the traffic of these days (UTC) to be invalid. It doesn't count in any figure here.</p>
<ul>${shown.slice(0, MOST_CORRECTIONS).map(correctionItem)}</ul>
${
  shown.length <= MOST_CORRECTIONS
    ? null
    : html`<details><summary>${formats.count(shown.length - MOST_CORRECTIONS)} more</summary><ul>${shown.slice(MOST_CORRECTIONS).map(correctionItem)}</ul></details>`
}</section>`;
}

function correctionItem(one: ReportView["corrections"][number]): Html {
  return html`<li>${periodWords(one)}<blockquote>${one.reason}</blockquote></li>`;
}

const NOTHING = { impressions: 0, clicks: 0 };

function shownTime({ start, isOver, impressions, clicks }: AdTime, step: AdvertiserStep) {
  const date = start.slice(0, 10);
  return {
    name: step === "month" ? formats.month(date.slice(0, 7)) : formats.day(new Date(date)),
    shortName: formats.shortDay(new Date(date)),
    isOver,
    impressions,
    clicks,
  };
}

function splitTable(split: PlaceDimension, values: readonly AdValue[]): Html {
  const name = DIMENSION_WORDS[split];
  const rest = values.length - MOST_LISTED;
  return html`<section class="card" aria-labelledby="values"><h2 id="values">${name}</h2>
${
  values.length === 0
    ? html`<p>No activity in this period.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Impressions and clicks by ${name.toLowerCase()}"><table>
<thead><tr><th scope="col">${name}</th><th scope="col">Impressions</th><th scope="col">Clicks</th><th scope="col">CTR</th></tr></thead>
<tbody>${values.slice(0, MOST_LISTED).map((value) => valueRow(split, value))}</tbody>
</table></div>`
}
${rest > 0 ? html`<p class="hint">${formats.count(rest)} more in the CSV.</p>` : null}</section>`;
}

function valueRow(split: PlaceDimension, { value, impressions, clicks }: AdValue): Html {
  const rate =
    typeof impressions === "number" && typeof clicks === "number" ? { impressions, clicks } : NOTHING;
  return html`<tr><th scope="row">${valueWords(split, value)}</th><td>${countWords(impressions)}</td><td>${countWords(clicks)}</td><td>${formats.clickRate(rate)}</td></tr>`;
}

function countWords(count: AdValue["clicks"]): string {
  return typeof count === "number" ? formats.count(count) : count;
}

/** What a question is in an address, with the days that were shown. */
export function parametersOf(
  { step, split }: Pick<AdQuestion, "step" | "split">,
  { from, to }: Pick<AdQuestion, "from" | "to">,
): string {
  const given = Object.entries({ from, to, per: step, split: split ?? undefined });
  return new URLSearchParams(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
}

function sharing(
  { path, publisher }: ReportView,
  { sharedAt }: NonNullable<ReportView["own"]>,
  asked: string,
): Html {
  const form = (below: string, words: string) =>
    html`<form method="post" action="${path}/${below}?${asked}"><button class="second">${words}</button></form>`;
  return html`<section class="card" aria-labelledby="share"><h2 id="share">Share this report</h2>
<p>Anyone with the link can read the report of this ad. They can't change the ad, and see nothing of the subscription.</p>
${
  sharedAt === null
    ? form("share", "Create a link")
    : html`<div class="field"><label for="link">Link</label><input type="url" id="link" readonly value="${sharedAt}"></div>
<p class="hint">It works until you turn it off, or until ${publisher.name} deletes your data.</p>
${form("unshare", "Turn the link off")}`
}</section>`;
}
