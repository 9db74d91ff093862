import type { Options } from "../measure/options.ts";
import { escapeHtml } from "./escape.ts";
import type { Row, ScenarioResult } from "./result.ts";
import { svgOf } from "./svg.ts";

/** What the figures were measured on. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly layout: string;
}

/** Everything about one run. */
export interface Run {
  readonly date: Date;
  /** As it was typed. */
  readonly command: string;
  readonly machine: Machine;
  readonly options: Options;
  readonly results: readonly ScenarioResult[];
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto}th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}
th:first-child,td:first-child{text-align:left}svg{width:100%;font:12px system-ui,sans-serif}svg text{fill:#222}
h2{margin-top:3rem;border-top:2px solid #222;padding-top:.5rem}h3{font-size:15px;margin:1.5rem 0 .3rem}.wrong{color:#a00;font-weight:600}`;

/** A run as one page that needs nothing else: no network, no script. */
export function pageOf({ date, command, machine, results }: Run): string {
  const { cores, processor, memoryGb, system, node, layout } = machine;
  const complaints = results.flatMap((result) => result.complaints);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Load test of ${escapeHtml(date.toISOString())}</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<h1>Placard: load test</h1>
<p>${escapeHtml(date.toISOString())} · <code>${escapeHtml(command)}</code></p>
<p>${escapeHtml(`${cores} cores, ${processor}, ${memoryGb} GB, ${system}, Node ${node}; ${layout}.`)}</p>
<p>Bars are medians of the rounds, black lines reach from the lowest round to the highest. Each scenario stands next to
its baseline of the same run; a ratio is Placard's figure over the baseline's.</p>
${complaintsOf(complaints)}
<ul>${results.map(({ scenario }) => `<li><a href="#${escapeHtml(scenario)}">${escapeHtml(scenario)}</a></li>`).join("")}</ul>
${results.map(sectionOf).join("\n")}
</body></html>
`;
}

function sectionOf({ scenario, rows, charts = [], complaints }: ScenarioResult): string {
  const drawn = charts.map(
    (chart) => `<h3>${escapeHtml(`${chart.title}, ${chart.unit}`)}</h3>${svgOf(chart)}`,
  );
  const name = escapeHtml(scenario);
  return `<section id="${name}"><h2>${name}</h2>${complaintsOf(complaints)}${tableOf(rows)}${drawn.join("")}</section>`;
}

function complaintsOf(complaints: readonly string[]): string {
  return complaints.map((complaint) => `<p class="wrong">Failed: ${escapeHtml(complaint)}</p>`).join("");
}

function tableOf(rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  const body = rows.map((row) =>
    line(
      columns.map((column) => String(row[column] ?? "")),
      "td",
    ),
  );
  return `<table>${line(columns, "th")}${body.join("")}</table>`;
}
