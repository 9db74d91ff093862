import { Html, html } from "#libs/html/index.ts";
import { oneLine } from "#libs/mail/index.ts";
import { CHART_WIDTH } from "./day-chart.ts";
import { LOCALE } from "./formats.ts";
import { type Block, CHART_ID, type Chart, type Figures, type Letter } from "./letter.ts";
import { linesOf } from "./render-text.ts";

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BODY = `${FONT};font-size:16px;line-height:24px;color:#1b1f27`;
const SMALL = `${FONT};font-size:13px;line-height:20px;color:#5b6472`;
const CELL = `${FONT};font-size:14px;line-height:20px;color:#1b1f27;padding:8px 0;vertical-align:baseline;border-bottom:1px solid #d9dce3`;

/** For mail programs that support dark mode and keep this block; others invert the colours, or show the light ones. */
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #16181d !important; }
  .card { background-color: #20242c !important; border-color: #363c48 !important; }
  .ink { color: #e8eaee !important; border-color: #363c48 !important; }
  .pale { color: #a9b0bd !important; }
  .pale a { color: #a9b0bd !important; }
}`;

/** Follows the preheader, so that inboxes do not show the first words of the letter after it. */
const FILLER = new Html("&#847;&zwnj;&nbsp;".repeat(60));

/** A letter as HTML under the name of its sender: tables and inline styles, as mail programs support nothing else. Loads nothing. */
export function renderHtml(letter: Letter, sender: string): string {
  const { subject, preheader, blocks, footer, footerLink } = letter;
  const last = footerLink === undefined ? null : html`<br>${renderAnchor(footerLink, "color:#5b6472")}`;
  return html`<!doctype html>
<html lang="${LOCALE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${oneLine(subject.text)}</title>
<style>${new Html(DARK)}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f4f5f7">
<div style="display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px">${oneLine(preheader)}${FILLER}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f5f7">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" style="${FONT};font-size:18px;line-height:24px;font-weight:700;color:#1b1f27;padding:0 4px 14px">${oneLine(sender)}</td></tr>
<tr><td class="card" style="background-color:#ffffff;border:1px solid #d9dce3;border-radius:12px;padding:28px 28px 12px">
${blocks.map(renderBlock)}
</td></tr>
<tr><td class="pale" style="${SMALL};padding:16px 28px">${oneLine(footer)}${last}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.source;
}

function renderBlock(block: Block): Html {
  if (typeof block === "string") {
    return html`<p class="ink" style="${BODY};margin:0 0 16px">${oneLine(block)}</p>
`;
  }
  switch (block.kind) {
    case "quote":
      return renderQuote(block.text);
    case "link":
      return renderButton(block);
    case "figures":
      return renderFigures(block);
    case "chart":
      return renderChart(block);
  }
}

function renderQuote(words: string): Html {
  const lines = linesOf(words).map((line, index) => html`${index === 0 ? null : new Html("<br>")}${line}`);
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
<tr><td class="ink" style="${BODY};border-left:3px solid #3b5bdb;padding:4px 0 4px 14px">${lines}</td></tr>
</table>
`;
}

/** The colour is the cell's, so that all of it shows in programs whose links have no box. The URL can be copied. */
function renderButton(to: { readonly label: string; readonly url: string }): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 12px">
<tr><td align="center" bgcolor="#3b5bdb" style="background-color:#3b5bdb;border-radius:8px">${renderAnchor(to, `${FONT};display:inline-block;padding:12px 20px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none`)}</td></tr>
</table>
<p class="pale" style="${SMALL};margin:0 0 16px;word-break:break-all">${to.url}</p>
`;
}

function renderFigures({ head, rows, total }: Figures): Html {
  return html`<table class="ink" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;border-collapse:collapse">
<thead><tr>${head.map((name, index) => renderCell("th", name, index, "font-weight:600"))}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${row.map((value, index) => renderCell("td", value, index, ""))}</tr>
`,
)}${
  total === undefined
    ? null
    : html`<tr>${total.map((value, index) => renderCell("td", value, index, "font-weight:600"))}</tr>
`
}</tbody>
</table>
`;
}

/** The picture comes with the email (`imagesOf`). */
function renderChart({ alt, caption, note }: Chart): Html {
  return html`<p style="margin:0 0 4px"><img src="cid:${CHART_ID}" width="${String(CHART_WIDTH)}" alt="${oneLine(alt)}" style="display:block;width:100%;max-width:${String(CHART_WIDTH)}px;height:auto;border:0"></p>
<p class="pale" style="${SMALL};margin:0 0 16px">${oneLine(`${caption} ${note}`)}</p>
`;
}

/** The first cell of a row is a name and may break; the others are numbers, aligned. */
function renderCell(tag: "th" | "td", value: string, index: number, weight: string): Html {
  const place =
    index === 0
      ? "text-align:left;word-break:break-word"
      : "text-align:right;white-space:nowrap;padding-left:14px";
  const scope = new Html(tag === "th" ? ' scope="col"' : "");
  return html`<${new Html(tag)}${scope} class="ink" style="${CELL};${place};font-weight:normal;${weight}">${oneLine(value)}</${new Html(tag)}>`;
}

/** Throws for a URL that is not http or https: those of emails are ours, so another is a mistake. */
function renderAnchor({ label, url }: { readonly label: string; readonly url: string }, style: string): Html {
  if (!/^https?:\/\//.test(url)) throw new TypeError("an email may only link to http and https");
  return html`<a href="${url}" style="${style}">${oneLine(label)}</a>`;
}
