import type { FastifyReply } from "fastify";
import { type PageContent, renderPage } from "./layout.ts";
import { contentSecurityPolicy } from "./policy.ts";
import type { Site } from "./site.ts";

/** Sends a page. The address of a private one is a secret: it is kept from other sites, search engines and caches. */
export function sendPage(reply: FastifyReply, site: Site, status: number, page: PageContent): FastifyReply {
  return reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(site.services),
      "cache-control": page.isPrivate ? "no-store" : "no-cache",
      ...(page.isPrivate ? { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" } : {}),
    })
    .send(renderPage(site, page));
}
