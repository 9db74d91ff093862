import { perVerdict, type Verdict } from "#libs/domain/event.ts";
import { DUPLICATE_WINDOWS_MS } from "#libs/domain/tracking-limits.ts";
import { type Html, html } from "#libs/html/index.ts";
import { CHANGES, GUIDELINES } from "./guidelines.ts";

/** What this installation allows to an address and ad in a minute, unless a publisher has other limits; 0 is no limit. */
export interface UsualLimits {
  readonly impressionsPerMinute: number;
  readonly clicksPerMinute: number;
}

/** The first reason that holds is an event's verdict (`libs/domain/event.ts`). */
export const REASONS: readonly Exclude<Verdict, "valid">[] = [
  "bot",
  "prefetch",
  "network",
  "not_serving",
  "unproven",
  "limited",
  "duplicate",
];

const rows = perVerdict((row) => row);
const secondsOf = (milliseconds: number) => String(milliseconds / 1000);

/** How events are counted: for advertisers who pay by these figures, and for anyone who compares them with others. */
export function countingPage(limits: UsualLimits): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>How Placard counts</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#fff, #1a1b1e); color: light-dark(#1a1b1e, #e3e5e8); }
main { max-width: 48rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0.25rem 0 0; }
a { color: light-dark(#0b5cad, #8ab8ff); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; min-width: 34rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid light-dark(#d0d4d9, #45494f); }
th[scope="row"] { font-weight: 600; min-width: 9rem; }
td:nth-child(2) { white-space: nowrap; }
</style>
</head>
<body>
<main>
<h1>How Placard counts</h1>
<p>Publisher and advertiser read the same figures, counted once by the rules on this page. Placard follows the industry's guidelines where
the last table says so. It is not accredited by anybody, and does not claim to be.</p>

<h2>What is counted</h2>
<dl>
<dt>Impression, reported by the embed script</dt>
<dd>At least half of the ad was in the visible part of the page, in a tab that was in front, for one second without a break. An ad that has
no height, or is hidden or transparent, is not in view.</dd>
<dt>Impression, reported by a script of the site</dt>
<dd>The site decides when it reports one.</dd>
<dt>Impression by an image, where no script runs, such as in a newsletter</dt>
<dd>The image was loaded. Whether somebody saw it cannot be known.</dd>
<dt>Click</dt>
<dd>A visitor followed the ad's link. The embed script reports it while the browser leaves; a link for pages without script leads through
Placard, which counts and then forwards.</dd>
<dt>Impression or click, reported by a server of the publisher</dt>
<dd>The publisher's key says that it happened, and when. The same rules apply to it, by the address and the browser that the server names.</dd>
</dl>
<p>Reports show how much came from pages, from links and images, and from servers: split a report by source.</p>

<h2>What is recorded of the place</h2>
<p>As far as the page tells it: the publisher's name for the placement, the path of the page without its query, and the host of the site that led
to it. From the request itself: the kind of device and the family of the browser, and the country, where the operator's network names it
or a file of the operator has it for the address. None of
this decides what counts. What is not told is “(not known)”. A publisher can turn path and host off.</p>
<p>The embed script tells placement and page; images, links and servers only what the publisher adds. An iPad whose browser calls itself that of a
Mac is a desktop. Anybody can make names up, so each workspace has a limit for new ones a day and for each address; what is beyond it is “(other)”.</p>

<h2>What does not count</h2>
<p>What is accepted is stored with a verdict. Impressions and clicks in figures are those without a reason not to count. The others stay, and
are shown as what they are: in reports as “Not counted”, with the reasons when split by result, and in the traffic of an ad. If several
reasons hold, the first of these is the event's verdict.</p>
<div class="wide" tabindex="0" role="region" aria-label="Reasons">
<table>
<thead><tr><th scope="col">Reason</th><th scope="col">Verdict</th><th scope="col">When</th></tr></thead>
<tbody>
${REASONS.map((verdict) => html`<tr><th scope="row">${rows[verdict].title}</th><td><code>${verdict}</code></td><td>${rows[verdict].reason} ${detailOf(verdict, limits)}</td></tr>`)}
</tbody>
</table>
</div>
<p>This finds traffic that says what it is, or behaves as no person does. A program that pretends to be a browser, from many addresses and
at a person's pace, is counted. No figure here says how many of those there are.</p>

<h2>Visitors</h2>
<p>Visitors are told apart by a keyed hash of address and browser, with another key each day. So they are visitors of one UTC day: someone who
comes on two days is counted twice, and the visitors of several days do not add up to people. Numbers above some thousands are estimates. Visitors whose browser asks for privacy
(Global Privacy Control), and all of a publisher who has turned that off, are counted as impressions and clicks, and not as visitors. Nothing is stored on a visitor's device, and neither
addresses nor what browsers say of themselves are kept.</p>

<h2>Time</h2>
<p>An event has the time at which it arrived; one that a server reports has the time that the server says, at most 24 hours before.
Daily statistics are by UTC day, reports by the local days of the time zone that they name.</p>

<h2>When figures are final</h2>
<p>Figures show an event within 3 seconds. A report of a server may still add to the last 24 hours. Otherwise figures of the past do not change,
unless the publisher corrects them: days of an ad whose traffic turns out to be invalid no longer count. Reports show them as “Corrected”, the
advertiser reads the days and the reason beside the report of the ad, and the events stay, so that a correction can be revoked.
If sums were damaged, the operator can rebuild them from the single events, which gives the same figures. New rules do not apply to past events.</p>
<p>An event is acknowledged once it is on durable storage, and is then counted exactly once, also when a process or a machine fails meanwhile. What is
not acknowledged is not counted; the embed script reports such an impression again for nine seconds.</p>

<h2>How long it is kept</h2>
<p>Sums by ad, quarter of an hour, verdict and source are kept as long as the workspace. Sums by place are kept as long as the operator has set,
760 days unless changed. Single events are kept as long as the operator has
set, 400 days unless changed.</p>

<h2>The industry's guidelines</h2>
<p>Of the guidelines of IAB and the Media Rating Council on ad impressions (2004, 2017), clicks (2009), viewable impressions (2014, 2015) and invalid traffic (2015, 2020).</p>
<div class="wide" tabindex="0" role="region" aria-label="Guidelines">
<table>
<thead><tr><th scope="col">They ask for</th><th scope="col">Placard</th><th scope="col">How</th></tr></thead>
<tbody>
${GUIDELINES.map(({ asked, state, how }) => html`<tr><th scope="row">${asked}</th><td>${state}</td><td>${how}</td></tr>`)}
</tbody>
</table>
</div>

<h2>Changes to the rules</h2>
<dl>
${CHANGES.map(({ release, changes }) => html`<dt>${release}</dt>${changes.map((change) => html`<dd>${change}</dd>`)}`)}
</dl>
</main>
</body>
</html>
`.source;
}

/** What the verdict's own words leave out. */
function detailOf(verdict: (typeof REASONS)[number], limits: UsualLimits): Html | null {
  if (verdict === "bot")
    return html`Known by what it calls itself, from the list of the <a href="https://github.com/omrilotan/isbot">isbot</a> package, and from the lists of browsers and robots of IAB and ABC International where the operator has them; a request that names no browser is one too.`;
  if (verdict === "network") return html`Data centers are blocked only where the operator lists them.`;
  if (verdict === "unproven")
    return html`Publishers can ask for proof; without that, no event is refused for the lack of it.`;
  if (verdict === "limited") {
    const [impressions, clicks] = [wordsOf(limits.impressionsPerMinute), wordsOf(limits.clicksPerMinute)];
    return html`Here an address may have ${impressions} impressions and ${clicks} clicks of an ad a minute, unless the publisher has set others. What goes beyond that at one process is refused and not stored.`;
  }
  if (verdict === "duplicate")
    return html`Within ${secondsOf(DUPLICATE_WINDOWS_MS.impression)} seconds of an impression that counts, and ${secondsOf(DUPLICATE_WINDOWS_MS.click)} of a click.`;
  return null;
}

function wordsOf(limit: number): string {
  return limit === 0 ? "any number of" : String(limit);
}
