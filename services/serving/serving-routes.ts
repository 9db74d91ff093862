import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { JSON_SECURITY_HEADERS, notFound } from "#libs/http/index.ts";
import { cacheControl } from "./cache-control.ts";
import type { Directory } from "./directory.ts";
import type { PreparedSnapshot } from "./prepared-snapshot.ts";
import { matchesEtag, type ReadyAnswer } from "./ready-answer.ts";
import type { ResponseCache } from "./response-cache.ts";
import { parseServingQuery, type RawQuery, type ServingQuery } from "./serving-query.ts";

interface ServingRoute {
  Params: { workspaceId: string };
  Querystring: RawQuery;
}

export interface ServingRoutesDeps {
  readonly directory: Directory;
  readonly responses: ResponseCache;
  readonly now: () => number;
}

const HEADERS = { ...JSON_SECURITY_HEADERS, "content-type": "application/json; charset=utf-8" };
const TIERS_CACHE_CONTROL = cacheControl(Number.POSITIVE_INFINITY);

/** Longer queries are rare; their parsed form would take memory that many short ones use better. */
const LONGEST_KEPT_URL = 512;
const KEPT_QUERIES = 5_000;

/** The two endpoints that publishers' pages read: ads in rotation, and tiers on sale. */
export function addServingRoutes(
  app: FastifyInstance,
  { directory, responses, now }: ServingRoutesDeps,
): void {
  const queries = new LRUCache<string, ServingQuery>({ max: KEPT_QUERIES });

  function queryOf(request: FastifyRequest<ServingRoute>): ServingQuery {
    const url = request.url;
    const known = queries.get(url);
    if (known !== undefined) return known;
    const query = parseServingQuery(request.query);
    if (url.length <= LONGEST_KEPT_URL) queries.set(url, query);
    return query;
  }

  function sendAds(
    request: FastifyRequest,
    reply: FastifyReply,
    snapshot: PreparedSnapshot,
    query: ServingQuery,
  ) {
    const time = now();
    const answer = responses.answer(snapshot, query, time);
    sendReady(request, reply, answer, cacheControl(answer.ends - time));
  }

  app.get<ServingRoute>("/workspaces/:workspaceId/ads/serving", (request, reply) => {
    const query = queryOf(request);
    const held = directory.held(request.params.workspaceId);
    if (held !== undefined) return sendAds(request, reply, held, query);
    return found(directory, request.params.workspaceId).then((snapshot) => {
      sendAds(request, reply, snapshot, query);
      return reply;
    });
  });

  app.get<ServingRoute>("/workspaces/:workspaceId/tiers/serving", async (request, reply) => {
    const { tiers } = await found(directory, request.params.workspaceId);
    sendReady(request, reply, tiers, TIERS_CACHE_CONTROL);
    return reply;
  });
}

async function found(directory: Directory, workspaceId: string): Promise<PreparedSnapshot> {
  const snapshot = await directory.find(workspaceId);
  if (snapshot === null) throw notFound("Workspace");
  return snapshot;
}

function sendReady(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer, caching: string): void {
  reply.headers(HEADERS).header("etag", answer.etag).header("cache-control", caching);
  const ifNoneMatch = request.headers["if-none-match"];
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, answer.etag)) reply.code(304).send();
  else reply.send(answer.body);
}
