import { type Html, html } from "#libs/html/index.ts";
import { ATTRIBUTES, DEMO_STYLE, EVENTS, MODULE_EXAMPLE, REACT_EXAMPLE, VARIABLES } from "./demo-texts.ts";

interface DemoWorkspace {
  readonly id: string;
  readonly name: string;
}

/** The origin of the installation, and those of its upload store. */
interface DemoSite {
  readonly origin: string;
  readonly imageOrigins: readonly string[];
}

/** The example of the embed with a workspace's own ads. `requested` is the workspace in the address, empty for the demo. */
export function demoPage(
  { origin, imageOrigins }: DemoSite,
  workspace: DemoWorkspace | undefined,
  requested: string,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Ads on your site: a live example</title>
<link rel="icon" href="data:,">
<style>${DEMO_STYLE}</style>
${workspace === undefined ? null : html`<script src="/demo.js" defer></script>\n<script src="/embed.js" async></script>`}
</head>
<body>
<main>
<h1>Ads on your site</h1>
${workspace === undefined ? question(requested) : example({ origin, imageOrigins }, workspace)}
</main>
</body>
</html>
`.source;
}

function question(requested: string): Html {
  return html`${requested === "" ? null : html`<p role="alert">There is no workspace “${requested}”.</p>`}
<p>This page shows a workspace’s ads the way a site would.</p>
<form action="/demo" method="get">
<label for="workspace">Workspace</label>
<input id="workspace" name="workspace" value="${requested}" placeholder="ws_…" required>
<button>Show its ads</button>
</form>`;
}

function example({ origin, imageOrigins }: DemoSite, { id, name }: DemoWorkspace): Html {
  const tag = `<script src="${origin}/embed.js" async></script>`;
  return html`<p>Everything below is live and shows the ads of ${name}. Your impressions and clicks count.</p>

<h2>One tag</h2>
<p>The script fills every element that names your workspace. Put it anywhere: it loads asynchronously and never blocks your page.</p>
<div data-placard="${id}"></div>
${code(`${tag}\n<div data-placard="${id}"></div>`)}

<h2>Several slots</h2>
<p>Ads never repeat on a page. This slot shows two.</p>
<div data-placard="${id}" data-count="2"></div>
${code(`<div data-placard="${id}" data-count="2"></div>`)}

<h2>Space from the start</h2>
<p>Reserve the space of an ad, and nothing on the page moves when it arrives. Settings → Embed in the dashboard tells the height for your column. A slot with a template reserves what the template takes.</p>
${code(`<div data-placard="${id}" data-min-height="120" style="min-height: 120px"></div>`)}

<h2>In your colors</h2>
<p>The card is isolated from your CSS; style it with these variables. Light and dark colors follow your page’s <code>color-scheme</code>.</p>
<div class="brand" data-placard="${id}" data-label="Partner"></div>
${code(`<div data-placard="${id}" data-label="Partner"></div>\n\n${VARIABLES}`)}

<h2>In your own markup</h2>
<p>Put a template inside the element, and the script fills it instead: you choose where the text, URLs and link go. Any other content inside shows until an ad is available.</p>
<div data-placard="${id}">
<template><p class="line"><a data-placard-link data-placard-text="name"></a> <span data-placard-text="tagline"></span> <small>Sponsored</small></p></template>
<p class="line">Your ad here.</p>
</div>
${code(`<div data-placard="${id}">
  <template>
    <p><a data-placard-link data-placard-text="name"></a>
       <span data-placard-text="tagline"></span> <small>Sponsored</small></p>
  </template>
  <p>Your ad here.</p>
</div>`)}

<h2>What was reported</h2>
<p>An impression counts when half of the ad has been in view for a second, once per page view; a click when the visitor follows the link.</p>
<p class="row"><button type="button" id="next-page">Go to the next page</button> <span class="muted">A path that changes without a page load is a new page view too.</span></p>
<div role="log" aria-label="Reports" tabindex="0"><ul id="reports"></ul></div>

<h2>Attributes</h2>
${table("Attribute", ATTRIBUTES)}

<h2>Events</h2>
<p>Events bubble from the element. Its <code>data-placard-state</code> is <code>loading</code>, <code>filled</code>, <code>empty</code> or <code>failed</code>.</p>
${table("Event", EVENTS)}
<p><code>placard.fill(element)</code> fills an element that the script does not find by itself: in a shadow root, or any element if the script has <code>data-placard-manual</code>. <code>placard.refresh()</code> starts a new page view.</p>

<h2>As a module</h2>
<p>The same without the script, to render ads yourself. <a href="/embed.d.mts">Types</a> are included.</p>
${code(MODULE_EXAMPLE.replaceAll("ORIGIN", origin).replaceAll("WORKSPACE", id))}

<h2>In React</h2>
<p>A component that uses your own React. <a href="/embed-react.d.mts">Types</a> are included.</p>
${code(REACT_EXAMPLE.replaceAll("ORIGIN", origin).replaceAll("WORKSPACE", id))}

<h2>With a content security policy</h2>
<p>The script sets no cookies, stores nothing and needs no inline styles. Images come from the upload store only.</p>
${code(`script-src 'self' ${origin};\nconnect-src 'self' ${origin};\nimg-src 'self' ${imageOrigins.join(" ")}`)}`;
}

function code(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function table(what: string, rows: readonly (readonly [string, string])[]): Html {
  return html`<table><thead><tr><th scope="col">${what}</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(
    ([name, meaning]) => html`<tr><td><code>${name}</code></td><td>${meaning}</td></tr>`,
  )}</tbody></table>`;
}
