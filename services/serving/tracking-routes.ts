import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EVENT_KINDS, type EventKind } from "#libs/domain/event.ts";
import { sendError, unavailable } from "#libs/http/index.ts";
import type { Directory } from "./directory.ts";
import { ignoreBodies } from "./ignored-body.ts";
import type { ServingMetrics } from "./metrics.ts";
import type { TrackedAd } from "./prepared-snapshot.ts";
import { type FlatHeaders, READY_JSON_HEADERS, type ReplyReady } from "./ready-reply.ts";
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
  readonly reply: FastifyReply;
}

const LARGEST_BODY = 64 * 1024;
const RETRY_AFTER_MS = 1_000;
const ACCEPTED = '{"success":true}';
const NOT_COUNTED = '{"success":false}';
const ACCEPTED_HEADERS = headersOf(ACCEPTED);
const NOT_COUNTED_HEADERS = headersOf(NOT_COUNTED);

/** The two endpoints that record what visitors saw and clicked. */
export function addTrackingRoutes(app: FastifyInstance, deps: TrackingRoutesDeps): void {
  const { directory, metrics, record, replyReady, now } = deps;
  const batch = new TrackingBatch<WaitingEvent, Outcome>({ store: record, answer: answerEvent });
  app.addHook("onClose", () => batch.close());
  ignoreBodies(app, LARGEST_BODY);

  /** The verdict stays inside: whoever fakes traffic must not learn what gives them away. */
  function answerEvent({ reply }: WaitingEvent, outcome: Outcome | "failed"): void {
    if (outcome === "failed") sendError(reply, unavailable(RETRY_AFTER_MS));
    else if (outcome === "stored") replyReady(reply, 200, ACCEPTED_HEADERS, ACCEPTED, "latin1");
    else replyReady(reply, 200, NOT_COUNTED_HEADERS, NOT_COUNTED, "latin1");
  }

  function track(request: FastifyRequest, reply: FastifyReply, kind: EventKind, ad: TrackedAd): void {
    const occurredAt = now();
    const userAgent = userAgentOf(request.headers);
    const verdict = judgeRequest(request.headers, userAgent, ad, occurredAt);
    if (batch.add({ ad, kind, address: request.ip, userAgent, verdict, occurredAt, reply })) return;
    metrics.countRefused(kind, "overloaded");
    sendError(reply, unavailable(RETRY_AFTER_MS));
  }

  async function findAndTrack(
    request: FastifyRequest<TrackingRoute>,
    reply: FastifyReply,
    kind: EventKind,
  ): Promise<FastifyReply> {
    const ad = await directory.findAd(request.params.adId);
    if (ad !== null) track(request, reply, kind, ad);
    else {
      metrics.countRefused(kind, "unknown_ad");
      replyReady(reply, 200, NOT_COUNTED_HEADERS, NOT_COUNTED, "latin1");
    }
    return reply;
  }

  for (const kind of EVENT_KINDS) {
    app.post<TrackingRoute>(`/ads/:adId/${kind}s`, (request, reply) => {
      const ad = directory.heldAd(request.params.adId);
      if (ad === undefined) return findAndTrack(request, reply, kind);
      return track(request, reply, kind, ad);
    });
  }
}

function headersOf(body: string): FlatHeaders {
  return [...READY_JSON_HEADERS, "cache-control", "no-store", "content-length", String(body.length)];
}
