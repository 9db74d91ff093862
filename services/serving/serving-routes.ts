import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "#libs/http/index.ts";
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

const TIERS_CACHE_CONTROL = cacheControl(Number.POSITIVE_INFINITY);

/** The two endpoints that publishers' pages read: ads in rotation, and tiers on sale. */
export function addServingRoutes(app: FastifyInstance, deps: ServingRoutesDeps): void {
  const { directory, responses, metrics, replyReady, now } = deps;

  function sendAds(
    request: FastifyRequest<ServingRoute>,
    reply: FastifyReply,
    snapshot: PreparedSnapshot,
  ): void {
    const time = now();
    const known = responses.known(request.url, snapshot.version, time);
    metrics.countLookup(known !== undefined);
    const answer = known ?? responses.make(request.url, snapshot, parseServingQuery(request.query), time);
    sendReady(request, reply, answer, cacheControl(answer.ends - time));
  }

  async function findAndSendAds(
    request: FastifyRequest<ServingRoute>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    // Bad input is told before a missing workspace.
    parseServingQuery(request.query);
    sendAds(request, reply, await find(request.params.workspaceId));
    return reply;
  }

  app.get<ServingRoute>("/workspaces/:workspaceId/ads/serving", (request, reply) => {
    const held = directory.held(request.params.workspaceId);
    return held === undefined ? findAndSendAds(request, reply) : sendAds(request, reply, held);
  });

  app.get<ServingRoute>("/workspaces/:workspaceId/tiers/serving", async (request, reply) => {
    const { tiers } = await find(request.params.workspaceId);
    sendReady(request, reply, tiers, TIERS_CACHE_CONTROL);
    return reply;
  });

  function sendReady(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: ReadyAnswer,
    caching: string,
  ): void {
    const ifNoneMatch = request.headers["if-none-match"];
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, answer.etag)) {
      replyReady(reply, 304, ["etag", answer.etag, "cache-control", caching], "", "latin1");
      return;
    }
    replyReady(reply, 200, [...answer.headers, "cache-control", caching], answer.body, answer.encoding);
  }

  async function find(workspaceId: string): Promise<PreparedSnapshot> {
    const snapshot = await directory.find(workspaceId);
    if (snapshot === null) throw notFound("Workspace");
    return snapshot;
  }
}
