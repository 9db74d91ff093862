import { isWebUrl } from "#libs/domain/web-url.ts";
import { type Html, html } from "#libs/html/index.ts";
import { formats } from "../../mail/formats.ts";
import { processorNow, type SellingPorts } from "../ports.ts";
import type { Assets } from "./assets.ts";

/** The publisher as the head of a page shows it. */
export interface ShownPublisher {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly website_url: string | null;
  readonly favicon_url: string | null;
  readonly contact_email: string | null;
}

export interface PageContent {
  readonly title: string;
  /** Null where no publisher is known. */
  readonly publisher: ShownPublisher | null;
  readonly content: Html;
  /** Added to the head. */
  readonly head?: Html | null;
  /** Whether search engines stay away. */
  readonly isPrivate: boolean;
}

/** Where a publisher's tiers are for sale. */
export function offerPath({ slug }: Pick<ShownPublisher, "slug">): string {
  return `/advertise/${slug}`;
}

/** The address if a page may link to it, which is http and https only; else null. */
export function safeHref(address: string | null): string | null {
  return address !== null && isWebUrl(address) ? address : null;
}

/** A whole page. With sandbox payments it opens with a note. */
export function renderPage({ ports, assets }: Site, page: PageContent): string {
  const robots = page.isPrivate ? html`<meta name="robots" content="noindex, nofollow">\n` : null;
  const script =
    assets.script === null ? null : html`<script type="module" src="${assets.script}"></script>\n`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${robots}<title>${page.title}</title>
<link rel="icon" href="${safeHref(page.publisher?.favicon_url ?? null) ?? assets.icon}">
<link rel="stylesheet" href="${assets.style}">
${script}${page.head ?? null}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${ports.sales.isSandbox ? sandboxNote(ports) : null}
${page.publisher === null ? null : header(page.publisher)}
<main id="main">
${page.content}
</main>
${page.publisher === null ? null : contact(page.publisher)}</body>
</html>
`.source;
}

/** From here on the sandbox's clock is said to be ahead: its dates are then not those of the reader's calendar. */
const AHEAD_MS = 60 * 60_000;

function sandboxNote(ports: SellingPorts): Html {
  const now = ports.now();
  const atProcessor = processorNow(ports);
  const clock =
    atProcessor - now < AHEAD_MS ? null : html` Sandbox clock: ${formats.day(new Date(atProcessor))}.`;
  return html`<aside class="sandbox" aria-label="Payments"><strong>Sandbox payments.</strong> Checkout works end to end, but no real money moves.${clock}</aside>`;
}

function header(publisher: ShownPublisher): Html {
  const icon = safeHref(publisher.favicon_url);
  const site = safeHref(publisher.website_url);
  return html`<header class="top">
<a class="brand" href="${offerPath(publisher)}">${
    icon === null ? null : html`<img src="${icon}" alt="" width="28" height="28">`
  }<span>${publisher.name}</span></a>
${site === null ? null : html`<a class="site" href="${site}" rel="noopener">${URL.parse(site)?.host ?? site}</a>`}
</header>`;
}

function contact({ name, contact_email: email }: ShownPublisher): Html | null {
  if (email === null) return null;
  return html`<footer class="foot"><p>Questions? Contact ${name}: <a href="${mailHref(email)}">${email}</a></p></footer>
`;
}

/** A `mailto:` link in which no character of the address adds a recipient or a header. */
function mailHref(email: string): string {
  return `mailto:${email.split("@").map(encodeURIComponent).join("@")}`;
}

/** What every page is made with. */
export interface Site {
  readonly ports: SellingPorts;
  readonly assets: Assets;
}

/** An attribute that is left out without a value. */
export function attribute(name: AttributeName, value: string | null): Html | null {
  return value === null ? null : html` ${name}="${value}"`;
}

/** An attribute without a value. */
export function flag(name: FlagName, isOn: boolean): Html | null {
  return isOn ? html` ${name}` : null;
}

type AttributeName =
  | "aria-current"
  | "aria-describedby"
  | "aria-invalid"
  | "data-draft-of"
  | "max"
  | "min"
  | "placeholder";
type FlagName = "autofocus" | "checked" | "hidden" | "required" | "selected";
