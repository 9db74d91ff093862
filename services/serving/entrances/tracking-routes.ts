import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { EVENT_KINDS, type EventKind } from "#libs/domain/event.ts";
import { addressKey, addressKeyOf, isPlainTarget, LONGEST_PARAMETER, unavailable } from "#libs/http/index.ts";
import type { ServingMetrics } from "../answers/metrics.ts";
import { type Proofs, proofIn } from "../answers/proofs.ts";
import {
  EXPOSING_HEADERS,
  type Exchange,
  type FlatHeaders,
  hijack,
  JSON_HEADERS,
  type WriteRaw,
} from "../answers/raw-answer.ts";
import type { Directory } from "../directory/directory.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import type { Networks } from "../networks/network-table.ts";
import type { ArrivedEvent, Outcome } from "../record/record-events.ts";
import { createLoopUtilization, TrackingBatch } from "../record/tracking-batch.ts";
import { countryOf, placeOfRequest, type SentPlace, type ToldPlace } from "../verdict/told-place.ts";
import { type UserAgents, userAgentOf } from "../verdict/user-agents.ts";
import { asksForPrivacy, judgeRequest } from "../verdict/verdict.ts";
import { ignoreBodies } from "./ignored-body.ts";
import { addPageImpressions } from "./page-impressions.ts";
import { addScriptFreeRoutes } from "./script-free-routes.ts";

interface TrackingRoute {
  Params: { adId: string };
}

export interface TrackingRoutesDeps {
  readonly directory: Directory;
  /** Events from these do not count. */
  readonly blocked: Networks;
  readonly userAgents: UserAgents;
  readonly proofs: Proofs;
  readonly metrics: ServingMetrics;
  readonly writeRaw: WriteRaw;
  readonly record: (batch: readonly ArrivedEvent[]) => Promise<Outcome[]>;
  /** The header in lower case in which a trusted proxy names the visitor's country; undefined for none. */
  readonly countryHeader: string | undefined;
  readonly now: () => number;
}

/** Where the answer to an event goes. */
type Recipient = Pick<Exchange, "response" | "requestId">;
/** An event and the recipient of its outcome: a response, which gets the usual JSON, or the function of a route with other answers. */
interface WaitingEvent extends ArrivedEvent {
  readonly recipient: Recipient | ((outcome: Outcome | "failed") => void);
}

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

/** The endpoints that record what visitors see and click. */
export function addTrackingRoutes(app: FastifyInstance, deps: TrackingRoutesDeps): void {
  const { directory, blocked, userAgents, proofs, metrics, record, writeRaw, countryHeader, now } = deps;
  const batch = new TrackingBatch<WaitingEvent, Outcome>({
    store: record,
    answer: answerEvent,
    utilization: createLoopUtilization(),
  });
  const countAnswer = {
    impression: metrics.countAnswersOf(`${app.prefix}${ROUTES.impression}`),
    click: metrics.countAnswersOf(`${app.prefix}${ROUTES.click}`),
  };
  const prefix = `${app.prefix}/ads/`;
  const suffixes = EVENT_KINDS.map((kind) => ({ kind, suffix: `/${kind}s` }));
  app.addHook("onClose", () => batch.close());
  ignoreBodies(app, LARGEST_BODY);
  const page = addPageImpressions(app, { directory, metrics, writeRaw, add, placeOf });

  app.direct.add("POST", (request, response) => {
    const { url = "" } = request;
    const query = url.indexOf("?");
    const path = query === -1 ? url : url.slice(0, query);
    if (path === page.path) {
      void page.answer({ request, response, requestId: app.direct.idOf(request) });
      return true;
    }
    const route = suffixes.find(({ suffix }) => path.endsWith(suffix));
    if (route === undefined || !path.startsWith(prefix)) return false;
    const adId = path.slice(prefix.length, -route.suffix.length);
    const ad = hasBody(request) ? undefined : directory.cachedAd(adId);
    // Fastify's router refuses an unroutable id. It gets the answer of an unknown ad instead. Node discards the body.
    const isKnown = ad !== undefined || (isUnroutable(adId) && isPlainTarget(url));
    if (isKnown) track({ request, response, requestId: app.direct.idOf(request) }, route.kind, ad ?? null);
    return isKnown;
  });

  for (const kind of EVENT_KINDS) {
    app.post<TrackingRoute>(ROUTES[kind], async (request, reply) => {
      const ad = await directory.findAd(request.params.adId, addressKeyOf(request));
      track(hijack(request, reply), kind, ad);
      return reply;
    });
  }

  addScriptFreeRoutes(app, { directory, metrics, add });

  function track({ request, response, requestId }: Exchange, kind: EventKind, ad: CachedAd | null): void {
    if (ad === null) {
      metrics.countRefused(kind, "unknown_ad");
      answer({ response, requestId }, kind, NOT_COUNTED);
      return;
    }
    const recipient = { response, requestId };
    if (add(request, kind, ad, recipient)) return;
    answer(recipient, kind, unavailableAnswer(recipient));
  }

  /** Where the events of a request happened; `sent` is what its body says. */
  function placeOf(request: IncomingMessage, sent?: SentPlace): ToldPlace {
    const isTold = countryHeader !== undefined && app.direct.isFromProxy(request);
    return placeOfRequest(request, isTold ? countryOf(request.headers[countryHeader]) : "", sent);
  }

  /** False when too many events wait. Proof and place are by default those in the request's address. */
  function add(
    request: IncomingMessage,
    kind: EventKind,
    ad: CachedAd,
    recipient: WaitingEvent["recipient"],
    { proof, told }: { readonly proof?: string; readonly told?: ToldPlace } = {},
  ): boolean {
    const occurredAt = now();
    const userAgent = userAgentOf(request.headers);
    // The whole address, because a blocked network may be smaller than the network that shares a limit.
    const client = app.direct.clientOf(request);
    const ofUserAgent = userAgents.judge(userAgent);
    const judged = judgeRequest(request.headers, ofUserAgent, blocked.has(client), ad, occurredAt);
    const verdict =
      judged === "valid" && !isProven(proof ?? proofIn(request.url ?? ""), ad, occurredAt)
        ? "unproven"
        : judged;
    const address = addressKey(client);
    const isAnonymous = asksForPrivacy(request.headers);
    // An image or a link is asked for, and a script sends.
    const source = request.method === "POST" ? "page" : "link";
    const isAdded = batch.add({
      ad,
      kind,
      address,
      from: { address: client },
      userAgent,
      isAnonymous,
      verdict,
      occurredAt,
      source,
      told: told ?? placeOf(request),
      recipient,
    });
    if (!isAdded) metrics.countRefused(kind, "overloaded");
    return isAdded;
  }

  /** Links and images need a proof too. Otherwise anybody could use them to report events without a proof. */
  function isProven(proof: string, ad: CachedAd, occurredAt: number): boolean {
    return !ad.rules.requireProof || proofs.isValid(proof, ad, occurredAt);
  }

  /** Keeps the verdict secret: fake traffic must not learn how it was recognized. */
  function answerEvent({ kind, recipient }: WaitingEvent, outcome: Outcome | "failed"): void {
    if (typeof recipient === "function") recipient(outcome);
    else if (outcome === "stored") answer(recipient, kind, ACCEPTED);
    else answer(recipient, kind, outcome === "failed" ? unavailableAnswer(recipient) : NOT_COUNTED);
  }

  function answer(to: Recipient, kind: EventKind, { status, headers, body }: TrackingAnswer): void {
    countAnswer[kind](status);
    writeRaw(to, status, headers, body, "latin1");
  }
}

/** Whether Fastify's router refuses the text as a parameter: it is too long, or its percent-encoding is invalid. */
function isUnroutable(text: string): boolean {
  if (text.includes("/") || text.includes("?")) return false;
  if (text.length > LONGEST_PARAMETER) return true;
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}

/** A browser's beacon has a body. Its content is ignored, but it has to be read. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function unavailableAnswer({ requestId }: Recipient): TrackingAnswer {
  const error = unavailable(RETRY_AFTER_MS);
  const headers = [...EXPOSING_HEADERS, ...Object.entries(error.headers).flat(), "cache-control", "no-store"];
  return answerOf(error.status, JSON.stringify(error.envelope(requestId)), headers);
}

/** Without `cache-control`: nobody caches the answer to a POST that has none (RFC 9110, 9.3.3). */
function answerOf(status: number, body: string, headers: FlatHeaders = []): TrackingAnswer {
  return { status, body, headers: [...JSON_HEADERS, "content-length", String(body.length), ...headers] };
}
