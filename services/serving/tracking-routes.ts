import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EVENT_KINDS, type EventKind } from "#libs/domain/event.ts";
import { addressKeyOf, unavailable } from "#libs/http/index.ts";
import type { Directory } from "./directory.ts";
import { ignoreBodies } from "./ignored-body.ts";
import { createLoopUtilization } from "./loop-utilization.ts";
import type { ServingMetrics } from "./metrics.ts";
import type { TrackedAd } from "./prepared-snapshot.ts";
import { EXPOSING_HEADERS, type FlatHeaders, READY_JSON_HEADERS, type ReplyReady } from "./ready-reply.ts";
import type { ArrivedEvent, Outcome } from "./record-events.ts";
import { TrackingBatch } from "./tracking-batch.ts";
import { judgeRequest, userAgentOf } from "./verdict.ts";

interface TrackingRoute {
  Params: { adId: string };
}

export interface TrackingRoutesDeps {
  readonly directory: Directory;
  readonly metrics: ServingMetrics;
  readonly replyReady: ReplyReady;
  readonly record: (batch: readonly ArrivedEvent[]) => Promise<Outcome[]>;
  readonly now: () => number;
}

/** An event with the request that waits for it. */
interface WaitingEvent extends ArrivedEvent {
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** One of the answers there are, ready to be written. */
interface TrackingAnswer {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: string;
}

const ROUTES = { impression: "/ads/:adId/impressions", click: "/ads/:adId/clicks" } as const;
const LARGEST_BODY = 64 * 1024;
const RETRY_AFTER_MS = 1_000;
const ACCEPTED = answerOf(200, '{"success":true}');
const NOT_COUNTED = answerOf(200, '{"success":false}');
const UNAVAILABLE = unavailableAnswer();

/** The two endpoints that record what visitors saw and clicked. */
export function addTrackingRoutes(app: FastifyInstance, deps: TrackingRoutesDeps): void {
  const { directory, metrics, record, replyReady, now } = deps;
  const batch = new TrackingBatch<WaitingEvent, Outcome>({
    store: record,
    answer: answerEvent,
    utilization: createLoopUtilization(),
  });
  const countAnswer = {
    impression: metrics.countAnswersOf(`${app.prefix}${ROUTES.impression}`),
    click: metrics.countAnswersOf(`${app.prefix}${ROUTES.click}`),
  };
  app.addHook("onClose", () => batch.close());
  ignoreBodies(app, LARGEST_BODY);

  function answer(event: Pick<WaitingEvent, "kind" | "response" | "requestId">, ready: TrackingAnswer): void {
    const { status, headers, body } = ready;
    countAnswer[event.kind](status);
    replyReady(event.response, event.requestId, status, headers, body, "latin1");
  }

  /** The verdict stays inside: whoever fakes traffic must not learn what gives them away. */
  function answerEvent(event: WaitingEvent, outcome: Outcome | "failed"): void {
    if (outcome === "stored") answer(event, ACCEPTED);
    else answer(event, outcome === "failed" ? UNAVAILABLE : NOT_COUNTED);
  }

  function track(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    kind: EventKind,
    ad: TrackedAd,
  ): void {
    const occurredAt = now();
    const userAgent = userAgentOf(request.headers);
    const verdict = judgeRequest(request.headers, userAgent, ad, occurredAt);
    const address = app.direct.addressOf(request);
    const event = { ad, kind, address, userAgent, verdict, occurredAt, response, requestId };
    if (batch.add(event)) return;
    metrics.countRefused(kind, "overloaded");
    answer(event, UNAVAILABLE);
  }

  async function findAndTrack(
    request: FastifyRequest<TrackingRoute>,
    reply: FastifyReply,
    kind: EventKind,
  ): Promise<FastifyReply> {
    const ad = await directory.findAd(request.params.adId, addressKeyOf(request));
    reply.hijack();
    if (ad !== null) track(request.raw, reply.raw, request.id, kind, ad);
    else {
      metrics.countRefused(kind, "unknown_ad");
      answer({ kind, response: reply.raw, requestId: request.id }, NOT_COUNTED);
    }
    return reply;
  }

  for (const kind of EVENT_KINDS) {
    app.post<TrackingRoute>(ROUTES[kind], (request, reply) => findAndTrack(request, reply, kind));
  }

  const beginning = `${app.prefix}/ads/`;
  const endings = EVENT_KINDS.map((kind) => ({ kind, ending: `/${kind}s` }));
  app.direct.add("POST", (request, response) => {
    const { url = "" } = request;
    const asked = endings.find(({ ending }) => url.endsWith(ending));
    if (asked === undefined || !url.startsWith(beginning) || hasBody(request)) return false;
    const ad = directory.heldAd(url.slice(beginning.length, -asked.ending.length));
    if (ad === undefined) return false;
    track(request, response, app.direct.idOf(request), asked.kind, ad);
    return true;
  });
}

/** Beacons of browsers have one; it is ignored, but has to be read. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function answerOf(status: number, body: string, headers: FlatHeaders = []): TrackingAnswer {
  return { status, body, headers: [...headersOf(body), ...headers] };
}

function unavailableAnswer(): TrackingAnswer {
  const error = unavailable(RETRY_AFTER_MS);
  const headers = [...EXPOSING_HEADERS, ...Object.entries(error.headers).flat(), "cache-control", "no-store"];
  return answerOf(error.status, JSON.stringify(error.envelope()), headers);
}

/** No `cache-control`: without one the answer to a POST is kept by nobody (RFC 9110, 9.3.3). */
function headersOf(body: string): FlatHeaders {
  return [...READY_JSON_HEADERS, "content-length", String(body.length)];
}
