import { html } from "#libs/html/index.ts";

/** The text as HTML shows it. */
export function escapeHtml(text: string): string {
  return html`${text}`.source;
}
