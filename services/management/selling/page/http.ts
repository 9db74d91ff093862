import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { FairTurns, pause } from "#libs/async/index.ts";
import {
  addressKeyOf,
  HttpError,
  httpError,
  siteOf,
  tooManyRequests,
  unavailable,
} from "#libs/http/index.ts";
import { consumeByAddress, type RateRule } from "#libs/limits/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { takeFromAddress } from "../../api/address-limit.ts";
import { type PageContent, renderPage, type Site } from "./layout.ts";

/** A workspace has at most 200 fields. */
const MOST_VALUES = 1_000;
const FORM = "application/x-www-form-urlencoded";

interface PolicyPorts {
  readonly publicUrl: URL;
  readonly uploads: Pick<Uploads, "origins">;
}

/** Lets the routes of a scope accept forms only. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, body, done) =>
    isLong(body) ? done(new HttpError("PAYLOAD_TOO_LARGE")) : done(null, new URLSearchParams(body)),
  );
  scope.addContentTypeParser("*", (request, _payload, done) => {
    if (request.headers["content-length"] === "0") done(null, undefined);
    else done(httpError("UNSUPPORTED_MEDIA_TYPE"));
  });
}

/** Whether a form has more values than any page of ours asks for: a megabyte of `&` takes a while to read. */
function isLong(body: string): boolean {
  let values = 0;
  for (let at = body.indexOf("&"); at !== -1; at = body.indexOf("&", at + 1)) values += 1;
  return values > MOST_VALUES;
}

/** The form that a request has sent; empty without one. */
export function formOf({ body }: Pick<FastifyRequest, "body">): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/**
 * Pages that an address may open in a minute. A page counts one, and one more for each 16 KiB that it has: the largest, of 700 KB, takes
 * 30 ms to make.
 */
const PAGE_SIZES: RateRule = { name: "page-size", points: 1_500, durationSeconds: 60 };
const UNIT = 16 * 1024;
/** One per process. The last place is for those whose pages take no time. */
const TURNS = new FairTurns(2, pause);
/** Pages of a caller that wait. */
const MOST_WAITING = 120;
const RETRY_AFTER_MS = 1_000;

/**
 * Makes and sends a page, in a turn of the caller: many at once keep nobody else waiting. All networks of a site are one caller. Throws 429
 * if the pages of the address have reached the size that they may have in a minute, or too many of the caller wait.
 */
export async function sendPage(
  reply: FastifyReply,
  site: Site,
  status: number,
  make: () => PageContent | Promise<PageContent>,
): Promise<FastifyReply> {
  const address = addressKeyOf(reply.request);
  const { limits } = site.ports;
  const caller = siteOf(address) ?? address;
  if (TURNS.waitingOf(caller) >= MOST_WAITING) throw tooManyRequests(RETRY_AFTER_MS);
  const made = await TURNS.run(caller, async () => {
    if (reply.raw.closed) throw unavailable(RETRY_AFTER_MS);
    await takeFromAddress(limits, PAGE_SIZES, address);
    const page = await make();
    const text = renderPage(site, page);
    const units = Math.floor(text.length / UNIT);
    if (units > 0) await consumeByAddress(limits, PAGE_SIZES, address, units);
    return { page, text };
  });
  return send(reply, site, status, made);
}

/** Sends the small page of a refusal, which also those get who have no turn. */
export function sendRefusal(
  reply: FastifyReply,
  site: Site,
  status: number,
  page: PageContent,
): FastifyReply {
  return send(reply, site, status, { page, text: renderPage(site, page) });
}

/** The address of a private page is a secret, kept from other sites, search engines and caches. */
function send(
  reply: FastifyReply,
  site: Site,
  status: number,
  { page, text }: { readonly page: PageContent; readonly text: string },
): FastifyReply {
  return reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(site.ports),
      "cache-control": page.isPrivate ? "no-store" : "no-cache",
      ...(page.isPrivate ? { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" } : {}),
    })
    .send(text);
}

/**
 * Lets a page reach only its own style and script, and the store of uploads. Forms may end anywhere on https: buying
 * redirects to the processor's page, which may have the seller's own domain, and browsers apply `form-action` to redirects.
 */
export function contentSecurityPolicy({ uploads, publicUrl }: PolicyPorts): string {
  const stores = uploads.origins.filter((origin) => origin !== publicUrl.origin);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // `blob:` are images that the reader has chosen and not uploaded.
    ["img-src 'self' blob:", ...stores].join(" "),
    ["connect-src 'self'", ...stores].join(" "),
    "form-action 'self' https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(publicUrl.protocol === "https:" ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
