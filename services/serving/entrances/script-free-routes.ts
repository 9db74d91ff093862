import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { within } from "#libs/async/index.ts";
import type { EventKind } from "#libs/domain/event.ts";
import { html } from "#libs/html/index.ts";
import { addressKeyOf, HttpError, JSON_SECURITY_HEADERS } from "#libs/http/index.ts";
import type { ServingMetrics } from "../answers/metrics.ts";
import type { Directory } from "../directory/directory.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import type { Outcome } from "../record/record-events.ts";
import { createClickTargets } from "./click-targets.ts";

interface ScriptFreeRoute {
  Params: { adId: string };
}

export interface ScriptFreeDeps {
  readonly directory: Pick<Directory, "find" | "findAd" | "cachedVersion" | "cachedAd">;
  readonly metrics: Pick<ServingMetrics, "countRefused">;
  /** Adds an event to the batch, whose outcome goes to `settle`; false when too many wait. */
  readonly add: (
    request: IncomingMessage,
    kind: EventKind,
    ad: CachedAd,
    settle: (outcome: Outcome | "failed") => void,
  ) => boolean;
}

/** A click waits no longer than this to be recorded: the visitor wants to get on. It is recorded all the same. */
const CLICK_WAITS_MS = 250;
const RETRY_AFTER_SECONDS = 1;

/** One transparent pixel, GIF89a: https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** On every answer: none is a copy of another, and search engines have no use for any. */
const HEADERS = {
  ...JSON_SECURITY_HEADERS,
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
} as const;

/**
 * Events where no script runs, as in newsletters, feeds and README files: a link that leads to the ad's approved address, and
 * an image of one pixel. Both record like their POST forms; a HEAD request records nothing.
 */
export function addScriptFreeRoutes(app: FastifyInstance, { directory, metrics, add }: ScriptFreeDeps): void {
  const targetOf = createClickTargets(directory);

  app.get<ScriptFreeRoute>("/ads/:adId/click", async (request, reply) => {
    const found = await findTarget(request).catch(ifUnavailable);
    if (found === UNAVAILABLE) return sendPage(reply, 503);
    if (found === null) {
      refuse(request, "click");
      return sendPage(reply, 404);
    }
    // The reader gets there also when the click cannot be recorded.
    await within(CLICK_WAITS_MS, "recording a click", record(request, "click", found.ad)).catch(
      () => undefined,
    );
    return reply.headers(HEADERS).redirect(found.target, 302);
  });

  app.get<ScriptFreeRoute>("/ads/:adId/impression.gif", async (request, reply) => {
    const status = await statusOfImpression(request);
    if (status === 503) reply.header("retry-after", String(RETRY_AFTER_SECONDS));
    return reply.code(status).headers(HEADERS).type("image/gif").send(PIXEL);
  });

  /** Where a click leads; null for an ad without an approved address. Rejects when the ad cannot be read. */
  async function findTarget(request: FastifyRequest<ScriptFreeRoute>) {
    const caller = addressKeyOf(request);
    const ad = await directory.findAd(request.params.adId, caller);
    if (ad === null) return null;
    const target = await targetOf(ad, caller);
    return target === null ? null : { ad, target };
  }

  /** The image is sent with each status, so that a newsletter never shows a broken one. */
  async function statusOfImpression(request: FastifyRequest<ScriptFreeRoute>): Promise<200 | 404 | 503> {
    try {
      const ad = await directory.findAd(request.params.adId, addressKeyOf(request));
      if (ad !== null) return (await record(request, "impression", ad)) === "failed" ? 503 : 200;
      refuse(request, "impression");
      return 404;
    } catch (error) {
      ifUnavailable(error);
      return 503;
    }
  }

  function refuse({ method }: FastifyRequest, kind: EventKind): void {
    if (method !== "HEAD") metrics.countRefused(kind, "unknown_ad");
  }

  async function record(
    request: FastifyRequest,
    kind: EventKind,
    ad: CachedAd,
  ): Promise<Outcome | "failed" | "head"> {
    if (request.method === "HEAD") return "head";
    const { promise, resolve } = Promise.withResolvers<Outcome | "failed">();
    return add(request.raw, kind, ad, resolve) ? await promise : "failed";
  }
}

const UNAVAILABLE = Symbol("the ad cannot be read");

/** Anything but an outage is a fault of ours, and reported as one. */
function ifUnavailable(error: unknown): typeof UNAVAILABLE {
  if (error instanceof HttpError && error.status === 503) return UNAVAILABLE;
  throw error;
}

const PAGES = {
  404: { title: "This ad is no longer here", text: "The link led to an ad that is not available any more." },
  503: { title: "Please try again", text: "We cannot look this link up right now. Try again in a moment." },
} as const;

/** For people: a link of a newsletter is followed in a browser. */
function sendPage(reply: FastifyReply, status: keyof typeof PAGES): FastifyReply {
  const { title, text } = PAGES[status];
  if (status === 503) reply.header("retry-after", String(RETRY_AFTER_SECONDS));
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`;
  return reply.code(status).headers(HEADERS).type("text/html; charset=utf-8").send(page.source);
}
