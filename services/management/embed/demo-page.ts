import { type Html, html } from "#libs/html/index.ts";
import { DEMO_STYLE } from "./demo-style.ts";
import { ATTRIBUTES, EVENTS, MODULE_EXAMPLE, REACT_EXAMPLE, VARIABLES } from "./demo-texts.ts";

interface DemoWorkspace {
  readonly id: string;
  readonly name: string;
}

/** Where the installation is reached, and where it keeps its images. */
interface DemoSite {
  readonly origin: string;
  readonly imageOrigins: readonly string[];
}

/** The example of the embed, with the workspace's own ads. `asked` is what was looked for, empty for the demo. */
export function demoPage(
  { origin, imageOrigins }: DemoSite,
  workspace: DemoWorkspace | undefined,
  asked: string,
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
${workspace === undefined ? question(asked) : example({ origin, imageOrigins }, workspace)}
</main>
</body>
</html>
`.source;
}

function question(asked: string): Html {
  return html`${asked === "" ? null : html`<p role="alert">There is no workspace “${asked}”.</p>`}
<p>This page shows the ads of a workspace as a site would.</p>
<form action="/demo" method="get">
<label for="workspace">Workspace</label>
<input id="workspace" name="workspace" value="${asked}" placeholder="ws_…" required>
<button>Show its ads</button>
</form>`;
}

function example({ origin, imageOrigins }: DemoSite, { id, name }: DemoWorkspace): Html {
  const tag = `<script src="${origin}/embed.js" async></script>`;
  return html`<p>Everything below is live, with the ads of ${name}: what you see and click here counts.</p>

<h2>One tag</h2>
<p>The script fills every element that names your workspace. Put it anywhere; it waits for nothing and nothing waits for it.</p>
<div data-placard="${id}"></div>
${code(`${tag}\n<div data-placard="${id}"></div>`)}

<h2>Several places</h2>
<p>No two places on a page show the same ad. This one takes two.</p>
<div data-placard="${id}" data-count="2"></div>
${code(`<div data-placard="${id}" data-count="2"></div>`)}

<h2>In your colors</h2>
<p>The card keeps your style sheet out and lets these variables in. Its light or dark colors follow your page’s <code>color-scheme</code>.</p>
<div class="brand" data-placard="${id}" data-label="Partner"></div>
${code(`<div data-placard="${id}" data-label="Partner"></div>\n\n${VARIABLES}`)}

<h2>In your own markup</h2>
<p>A template inside the element is filled instead: texts, addresses and the link go where you say. What else is inside shows until there is an ad.</p>
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
<p>An impression counts once half of the ad has been in view for a second, once a page view; a click when it leaves the page.</p>
<p class="row"><button type="button" id="next-page">Go to the next page</button> <span class="muted">A path that changes without a load is a page view too.</span></p>
<div role="log" aria-label="Reports" tabindex="0"><ul id="reports"></ul></div>

<h2>Attributes</h2>
${table("Attribute", ATTRIBUTES)}

<h2>Events</h2>
<p>They bubble from the element. <code>data-placard-state</code> on it is <code>loading</code>, <code>filled</code>, <code>empty</code> or <code>failed</code>.</p>
${table("Event", EVENTS)}
<p><code>placard.fill(element)</code> fills a place that the script does not find by itself: in a shadow root, or with <code>data-placard-manual</code> on the script, which then fills nothing unasked. <code>placard.refresh()</code> begins another page view.</p>

<h2>As a module</h2>
<p>The same without the script, for a drawing of your own. <a href="/embed.d.mts">Types</a> are beside it.</p>
${code(MODULE_EXAMPLE.replaceAll("ORIGIN", origin).replaceAll("WORKSPACE", id))}

<h2>In React</h2>
<p>A component, with React as you have it. <a href="/embed-react.d.mts">Types</a> are beside it.</p>
${code(REACT_EXAMPLE.replaceAll("ORIGIN", origin).replaceAll("WORKSPACE", id))}

<h2>With a content security policy</h2>
<p>The script sets no cookie, stores nothing, and needs no inline style. Pictures come from where uploads are kept, and from nowhere else.</p>
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
