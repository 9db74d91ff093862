import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AddressKey, addressKeyOf, notFound } from "#libs/http/index.ts";
import type { CountAnswer } from "./answer-counts.ts";
import { cacheControl } from "./cache-control.ts";
import type { Directory } from "./directory.ts";
import type { ServingMetrics } from "./metrics.ts";
import type { PreparedSnapshot } from "./prepared-snapshot.ts";
import { matchesEtag, type ReadyAnswer } from "./ready-answer.ts";
import type { ReplyReady } from "./ready-reply.ts";
import type { ResponseCache } from "./response-cache.ts";
import { parseServingQuery, type RawQuery } from "./serving-query.ts";

interface ServingRoute {
  Params: { workspaceId: string };
  Querystring: RawQuery;
}

export interface ServingRoutesDeps {
  readonly directory: Directory;
  readonly responses: ResponseCache;
  readonly metrics: ServingMetrics;
  readonly replyReady: ReplyReady;
  readonly now: () => number;
}

/** A request, whichever way it came, and where its answer goes. */
interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
}

const ROUTES = {
  ads: "/workspaces/:workspaceId/ads/serving",
  tiers: "/workspaces/:workspaceId/tiers/serving",
} as const;
const TIERS_CACHE_CONTROL = cacheControl(Number.POSITIVE_INFINITY);

/** The two endpoints that publishers' pages read: ads in rotation, and tiers on sale. */
export function addServingRoutes(app: FastifyInstance, deps: ServingRoutesDeps): void {
  const { directory, responses, metrics, replyReady, now } = deps;
  const countAds = metrics.countAnswersOf(app.prefix + ROUTES.ads);
  const countTiers = metrics.countAnswersOf(app.prefix + ROUTES.tiers);

  async function findAndSendAds(
    request: FastifyRequest<ServingRoute>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    // Bad input is told before a missing workspace.
    const query = parseServingQuery(request.query);
    const { workspaceId } = request.params;
    const snapshot = directory.held(workspaceId) ?? (await findMeasured(workspaceId, addressKeyOf(request)));
    const time = now();
    const known = responses.known(request.url, snapshot.version, time);
    metrics.countLookup(known !== undefined);
    const answer = known ?? responses.make(request.url, snapshot, query, time);
    sendReady(hijack(request, reply), answer, cacheControl(answer.ends - time), countAds);
    return reply;
  }

  app.get<ServingRoute>(ROUTES.ads, findAndSendAds);

  app.get<ServingRoute>(ROUTES.tiers, async (request, reply) => {
    const { tiers } = await find(request.params.workspaceId, addressKeyOf(request));
    sendReady(hijack(request, reply), tiers, TIERS_CACHE_CONTROL, countTiers);
    return reply;
  });

  const beginning = `${app.prefix}/workspaces/`;
  app.direct.add("GET", (request, response) => {
    const { url = "" } = request;
    if (!url.startsWith(beginning)) return false;
    const version = directory.heldVersion(url.slice(beginning.length, url.indexOf("/", beginning.length)));
    if (version === undefined) return false;
    const time = now();
    // Only what the route has answered before is known, so the rest of the path and the query need no look.
    const answer = responses.known(url, version, time);
    if (answer === undefined) return false;
    metrics.countLookup(true);
    const asked = { request, response, id: app.direct.idOf(request) };
    sendReady(asked, answer, cacheControl(answer.ends - time), countAds);
    return true;
  });

  function sendReady(asked: Asked, answer: ReadyAnswer, caching: string, count: CountAnswer): void {
    const { request, response, id } = asked;
    const ifNoneMatch = request.headers["if-none-match"];
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, answer.etag)) {
      count(304);
      replyReady(response, id, 304, ["etag", answer.etag, "cache-control", caching], "", "latin1");
      return;
    }
    count(200);
    const headers = [...answer.headers, "cache-control", caching];
    replyReady(response, id, 200, headers, answer.body, answer.encoding);
  }

  function findMeasured(workspaceId: string, caller: AddressKey): Promise<PreparedSnapshot> {
    return find(workspaceId, caller).finally(metrics.waitSeconds.startTimer());
  }

  async function find(workspaceId: string, caller: AddressKey): Promise<PreparedSnapshot> {
    const snapshot = await directory.find(workspaceId, caller);
    if (snapshot === null) throw notFound("Workspace");
    return snapshot;
  }
}

/** Takes the answer out of Fastify's hands. */
function hijack(request: FastifyRequest, reply: FastifyReply): Asked {
  reply.hijack();
  return { request: request.raw, response: reply.raw, id: request.id };
}
