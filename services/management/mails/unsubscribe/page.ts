import { type Html, html } from "#libs/html/index.ts";
import type { Language } from "../language.ts";

/** What the page may do: show itself and send its own form. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Asks whether the reports are to end; the button sends the page's own address a POST. */
export function questionPage({ locale, unsubscribePage }: Language, workspace: string): string {
  const { title, question, button } = unsubscribePage;
  return page(
    locale,
    title,
    html`<p>${question(workspace)}</p>
<form method="post"><button type="submit" style="padding:12px 20px;font:inherit;font-weight:600;border:0;border-radius:8px;background:#1f5fd0;color:#fff;cursor:pointer">${button}</button></form>`,
  );
}

/** Says in one sentence what has become of it. */
export function answerPage({ locale, unsubscribePage: { title } }: Language, sentence: string): string {
  return page(locale, title, html`<p role="status">${sentence}</p>`);
}

function page(locale: string, title: string, content: Html): string {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body style="margin:0;color-scheme:light dark;font:16px/1.5 system-ui,sans-serif">
<main style="max-width:26rem;margin:0 auto;padding:3rem 1rem">
<h1 style="font-size:1.25rem">${title}</h1>
${content}
</main>
</body>
</html>
`.source;
}
