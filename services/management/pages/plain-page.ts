import { type Html, html } from "#libs/html/index.ts";

/** A page of one heading and a few sentences, without files of its own. */
export function plainPage(title: string, heading: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body style="margin:0;color-scheme:light dark;font:16px/1.5 system-ui,sans-serif">
<main style="max-width:26rem;margin:0 auto;padding:3rem 1rem">
<h1 style="font-size:1.25rem">${heading}</h1>
${content}
</main>
</body>
</html>
`.source;
}
