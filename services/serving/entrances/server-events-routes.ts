import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createTurns, FairPlaces } from "#libs/async/index.ts";
import type { EventsAnswer } from "#libs/contract/server-events.ts";
import type { ServerEventRefusal } from "#libs/domain/server-events.ts";
import {
  addressKeyOf,
  invalidInput,
  JSON_SECURITY_HEADERS,
  sendRate,
  tooManyRequests,
  unavailable,
} from "#libs/http/index.ts";
import type { ServingMetrics } from "../answers/metrics.ts";
import type { Directory } from "../directory/directory.ts";
import type { Networks } from "../networks/network-table.ts";
import type { EventRecorder, Outcome } from "../record/record-events.ts";
import type { UserAgents } from "../verdict/user-agents.ts";
import { EventBudget } from "./event-budget.ts";
import { findAds } from "./find-ads.ts";
import { readEvents, takeEventBodies } from "./server-body.ts";
import { type AcceptedEvent, acceptEvent, batchOf, nameRequest, readEvent } from "./server-request.ts";
import { createTrackingAuthorisation, type TrackingAccess } from "./tracking-key.ts";

interface EventsRoute {
  Params: { workspaceId: string };
}

export interface ServerEventsDeps {
  readonly directory: Pick<Directory, "find" | "cachedVersion" | "cachedAd" | "findAds">;
  /** Events of visitors from these are stored and do not count. */
  readonly blocked: Networks;
  readonly userAgents: UserAgents;
  readonly metrics: Pick<ServingMetrics, "countRefused">;
  readonly recordRequest: EventRecorder["recordRequest"];
  readonly now: () => number;
  /** Events per minute of one workspace; 0 is no limit. */
  readonly eventsPerMinute: number;
}

/** Requests that are worked on at the same time, shared by the workspaces: each takes some megabytes and milliseconds. */
const AT_ONCE = 64;
const RETRY_AFTER_MS = 1_000;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const HEADERS = { ...JSON_SECURITY_HEADERS, "cache-control": "no-store" } as const;

/**
 * The endpoint that servers report events to, with a tracking key, up to 1,000 in one request. No other site's page may read its
 * answers: a key in a page would be anybody's.
 */
export function addServerEventsRoutes(app: FastifyInstance, deps: ServerEventsDeps): void {
  const { directory, blocked, userAgents, metrics, recordRequest, now } = deps;
  const budget = new EventBudget(deps.eventsPerMinute, now);
  const authorise = createTrackingAuthorisation(directory);
  const granted = new WeakMap<FastifyRequest, TrackingAccess>();
  const atWork = new FairPlaces<string>(AT_ONCE, {
    overShare: () => tooManyRequests(RETRY_AFTER_MS),
    full: () => unavailable(RETRY_AFTER_MS),
  });
  const turn = createTurns();
  takeEventBodies(app);

  app.post<EventsRoute>("/workspaces/:workspaceId/events", {
    // Before the body is read: who has no key sends none.
    onRequest: async (request: FastifyRequest<EventsRoute>, reply) => {
      const access = await authorise(request);
      granted.set(request, access);
      sendBudget(access, reply);
    },
    handler: async (request, reply) => {
      const access = granted.get(request);
      if (access === undefined) throw new Error("The request was not authorised.");
      const answer = await atWork.run(access.workspaceId, () => report(access, request, reply));
      return reply.headers(HEADERS).send(answer);
    },
  });

  /** On every answer to a valid key. */
  function sendBudget({ workspaceId }: TrackingAccess, reply: FastifyReply): void {
    const rate = budget.rateOf(workspaceId);
    if (rate !== null) sendRate(reply, rate);
  }

  async function report(
    access: TrackingAccess,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<EventsAnswer> {
    const { workspaceId } = access;
    const key = idempotencyKeyOf(request);
    const events = await readEvents(request, () => turn(workspaceId));
    budget.take(workspaceId, events.length);
    sendBudget(access, reply);
    const read = events.map(readEvent);
    const adIds = read.flatMap((event) => (typeof event === "string" ? [] : [event.adId]));
    const ads = await findAds(directory, adIds, addressKeyOf(request));
    await turn(workspaceId);
    const time = now();
    const all = { workspaceId, now: time, blocked, userAgents };
    const judged = read.map((event, index) => {
      if (typeof event === "string") return event;
      const ad = ads(event.adId);
      return ad === "away" ? "try_again" : acceptEvent(event, { index, ad, ...all });
    });
    const accepted = judged.filter((event) => typeof event !== "string");
    accepted.sort((one, other) => one.occurredAt - other.occurredAt);
    const outcomes = await recordAll(accepted, nameRequest(workspaceId, key, read), time);
    const refusedLater = new Map<number, ServerEventRefusal>();
    for (const [position, { index }] of accepted.entries()) {
      const outcome = outcomes[position];
      if (outcome === "limited") refusedLater.set(index, outcome);
    }
    return answerOf(judged, refusedLater);
  }

  async function recordAll(
    events: readonly AcceptedEvent[],
    name: ReturnType<typeof nameRequest>,
    time: number,
  ): Promise<readonly Outcome[]> {
    if (events.length === 0) return [];
    try {
      return await recordRequest(events, batchOf(events, name, time));
    } catch (cause) {
      throw unavailable(RETRY_AFTER_MS, { cause });
    }
  }

  function answerOf(
    judged: readonly (AcceptedEvent | ServerEventRefusal)[],
    refusedLater: ReadonlyMap<number, ServerEventRefusal>,
  ): EventsAnswer {
    const refused = judged.flatMap((event, index) => {
      const code = typeof event === "string" ? event : refusedLater.get(index);
      if (code === "unknown_ad") metrics.countRefused("impression", "unknown_ad");
      return code === undefined ? [] : [{ index, code }];
    });
    return { accepted: judged.length - refused.length, refused };
  }
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidInput("IDEMPOTENCY_KEY_MALFORMED", {
    formErrors: ["The Idempotency-Key must be 1 to 255 visible ASCII characters."],
  });
}
