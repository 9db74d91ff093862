import { html } from "#libs/html/index.ts";

/** Stands in for the dashboard where there are its sources alone. */
export const NOT_BUILT_PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Placard</title>
</head>
<body style="margin:0;color-scheme:light dark;font:16px/1.5 system-ui,sans-serif">
<main style="max-width:26rem;margin:0 auto;padding:3rem 1rem">
<h1 style="font-size:1.25rem">The dashboard is not built</h1>
<p>Run <code>npm run build</code> in the folder of Placard, then load this page again. Everything else is running.</p>
</main>
</body>
</html>
`.source;
