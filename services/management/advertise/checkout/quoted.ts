import { type Html, html } from "#libs/html/index.ts";

/** What the publisher has written, with its line breaks. */
export function quoted(title: string, note: string | null): Html | null {
  if (note === null) return null;
  return html`<div class="note bad"><h2 class="small">${title}</h2><blockquote>${note}</blockquote></div>`;
}
