import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type AddressKey, addressKeyOf, matchesEtag, notFound } from "#libs/http/index.ts";
import type { CountAnswer, ServingMetrics } from "../answers/metrics.ts";
import { cacheControl, type Exchange, hijack, type RawAnswer, type WriteRaw } from "../answers/raw-answer.ts";
import type { Directory } from "../directory/directory.ts";
import type { PreparedSnapshot } from "../directory/prepared-snapshot.ts";
import type { ResponseCache, TimedAnswer } from "./response-cache.ts";
import { parseServingQuery, type RawQuery } from "./serving-query.ts";
import type { SiteSightings } from "./site-sightings.ts";

interface ServingRoute {
  Params: { workspaceId: string };
  Querystring: RawQuery;
}

export interface RotationRoutesDeps {
  readonly directory: Directory;
  readonly responses: ResponseCache;
  readonly sightings: SiteSightings;
  readonly metrics: ServingMetrics;
  readonly writeRaw: WriteRaw;
  readonly now: () => number;
  readonly slowRequestMs: number;
}

const ROUTES = {
  ads: "/workspaces/:workspaceId/ads/serving",
  tiers: "/workspaces/:workspaceId/tiers/serving",
} as const;
const TIERS_CACHE_CONTROL = cacheControl(Number.POSITIVE_INFINITY);

/** The two endpoints that publishers' pages read: ads in rotation, and tiers on sale. */
export function addRotationRoutes(app: FastifyInstance, deps: RotationRoutesDeps): void {
  const { directory, responses, sightings, metrics, writeRaw, now, slowRequestMs } = deps;
  const countAds = metrics.countAnswersOf(app.prefix + ROUTES.ads);
  const countTiers = metrics.countAnswersOf(app.prefix + ROUTES.tiers);
  const prefix = `${app.prefix}/workspaces/`;

  // A cached answer is to a URL that the route below has accepted, so only the workspace is read from the URL.
  app.direct.add("GET", (request, response) => {
    const { url = "" } = request;
    if (!url.startsWith(prefix)) return false;
    const workspaceId = url.slice(prefix.length, url.indexOf("/", prefix.length));
    const version = directory.cachedVersion(workspaceId);
    if (version === undefined) return false;
    const time = now();
    const answer = responses.get(url, version, time);
    if (answer === undefined) return false;
    sightings.note(workspaceId, request.headers, time);
    sendAds({ request, response, requestId: app.direct.idOf(request) }, answer, time);
    return true;
  });

  app.get<ServingRoute>(ROUTES.ads, async (request, reply) => {
    // Before the workspace is looked up, so that a bad query is reported first.
    const query = parseServingQuery(request.query);
    const { workspaceId } = request.params;
    const snapshot = directory.cached(workspaceId) ?? (await findTimed(request));
    const time = now();
    const cached = responses.get(request.url, snapshot.version, time);
    sightings.note(workspaceId, request.headers, time);
    if (cached !== undefined) sendAds(hijack(request, reply), cached, time);
    else {
      metrics.countLookup(false);
      const chosen = responses.choose(request.url, snapshot, query, time);
      const caching = cacheControl(chosen.ends - time);
      if (isKnown(request.raw, chosen.etag))
        sendNotModified(hijack(request, reply), chosen.etag, caching, countAds);
      else {
        directory.countWriting(addressKeyOf(request), chosen.bytes);
        sendWhole(hijack(request, reply), chosen.write(), caching, countAds);
      }
    }
    return reply;
  });

  app.get<ServingRoute>(ROUTES.tiers, async (request, reply) => {
    const { tiers } = await find(request.params.workspaceId, addressKeyOf(request));
    send(hijack(request, reply), tiers, TIERS_CACHE_CONTROL, countTiers);
    return reply;
  });

  function sendAds(exchange: Exchange, answer: TimedAnswer, time: number): void {
    metrics.countLookup(true);
    send(exchange, answer, cacheControl(answer.ends - time), countAds);
  }

  function send(exchange: Exchange, answer: RawAnswer, caching: string, count: CountAnswer): void {
    if (isKnown(exchange.request, answer.etag)) sendNotModified(exchange, answer.etag, caching, count);
    else sendWhole(exchange, answer, caching, count);
  }

  function sendNotModified(exchange: Exchange, etag: string, caching: string, count: CountAnswer): void {
    count(304);
    writeRaw(exchange, 304, ["etag", etag, "cache-control", caching], "", "latin1");
  }

  function sendWhole(exchange: Exchange, answer: RawAnswer, caching: string, count: CountAnswer): void {
    count(200);
    writeRaw(exchange, 200, [...answer.headers, "cache-control", caching], answer.body, answer.encoding);
  }

  async function findTimed(request: FastifyRequest<ServingRoute>): Promise<PreparedSnapshot> {
    const stopTimer = metrics.waitSeconds.startTimer();
    try {
      return await find(request.params.workspaceId, addressKeyOf(request));
    } finally {
      const ms = Math.round(stopTimer() * 1000);
      const route = request.routeOptions.url;
      if (ms >= slowRequestMs) request.log.warn({ method: request.method, route, ms }, "slow request");
    }
  }

  async function find(workspaceId: string, caller: AddressKey): Promise<PreparedSnapshot> {
    const snapshot = await directory.find(workspaceId, caller);
    if (snapshot === null) throw notFound("Workspace");
    return snapshot;
  }
}

/** Whether the caller has what `etag` stands for. */
function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const ifNoneMatch = headers["if-none-match"];
  return ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag);
}
