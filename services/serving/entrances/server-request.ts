import { hash } from "node:crypto";
import { type ServerEvent, serverEvent } from "#libs/contract/server-events.ts";
import { requestEventIds } from "#libs/domain/request-event-id.ts";
import { FARTHEST_AHEAD_MS, OLDEST_EVENT_MS, type ServerEventRefusal } from "#libs/domain/server-events.ts";
import type { TrackingLimits } from "#libs/domain/tracking-limits.ts";
import { type AddressKey, reportedAddress } from "#libs/http/index.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import type { Networks } from "../networks/network-table.ts";
import type { Identity, RecordableEvent, RequestBatch } from "../record/record-events.ts";
import { placeOfReport } from "../verdict/told-place.ts";
import { cutUserAgent, type UserAgents } from "../verdict/user-agents.ts";
import { judgeRequest, limitOf, windowOf } from "../verdict/verdict.ts";
import type { VisitorHashes } from "../verdict/visitor.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The visitor of an event when nobody knows them: the event counts, and nobody is counted as its visitor. */
const NOBODY = "";

/** An event of a request that can be stored. */
export interface AcceptedEvent extends RecordableEvent {
  /** Its place in the request. */
  readonly index: number;
  readonly reported: ServerEvent;
  /** The visitor's address, also as limits count it, where it was reported. */
  readonly from: ReturnType<typeof reportedAddress>;
}

/** What an event tells of its place. It is ignored where it is no text: no event is refused because of it. */
const PLACE = ["placement", "path", "country"] as const;
type Field = Exclude<keyof ServerEvent, (typeof PLACE)[number]>;

const CODES: Readonly<Record<Field, ServerEventRefusal>> = {
  adId: "invalid_ad_id",
  kind: "invalid_kind",
  ip: "invalid_ip",
  userAgent: "invalid_user_agent",
  visitorId: "invalid_visitor_id",
  occurredAt: "invalid_occurred_at",
};

const FIELDS = Object.keys(CODES).filter(isField);

/** Reads one event, or says why it is refused. Does not look up its ad. Ignores properties that are null. */
export function readEvent(value: unknown): ServerEvent | ServerEventRefusal {
  const parsed = serverEvent.safeParse(hasNull(value) ? withoutNulls(value) : value);
  if (parsed.success) return parsed.data;
  const [field] = parsed.error.issues[0]?.path ?? [];
  return isField(field) ? CODES[field] : "invalid_event";
}

/** Many programs write what they do not know as null. */
function hasNull(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.values(value).includes(null);
}

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

function isField(field: PropertyKey | undefined): field is Field {
  return field !== undefined && Object.hasOwn(CODES, field);
}

interface Circumstances {
  readonly index: number;
  readonly ad: CachedAd | null;
  readonly workspaceId: string;
  readonly blocked: Networks;
  readonly userAgents: UserAgents;
  readonly now: number;
}

/** Makes an event ready to be stored, or says why it is refused. */
export function acceptEvent(
  reported: ServerEvent,
  { index, ad, workspaceId, blocked, userAgents, now }: Circumstances,
): AcceptedEvent | ServerEventRefusal {
  // Does not reveal an ad of another workspace.
  if (ad === null || ad.workspaceId !== workspaceId) return "unknown_ad";
  const occurredAt = reported.occurredAt === undefined ? now : Date.parse(reported.occurredAt);
  if (occurredAt < now - OLDEST_EVENT_MS) return "too_old";
  if (!(occurredAt <= now + FARTHEST_AHEAD_MS)) return "in_the_future";
  const from = reportedAddress(reported);
  const isBlocked = from !== null && blocked.has(from.address);
  const { kind } = reported;
  const userAgent = cutUserAgent(reported.userAgent ?? "");
  // A server that names no user agent vouches for the visitor.
  const ofUserAgent = reported.userAgent === undefined ? null : userAgents.judge(userAgent);
  const verdict = judgeRequest({}, ofUserAgent, isBlocked, ad, occurredAt);
  const seen = { ad, kind, occurredAt, verdict, told: placeOfReport(reported), userAgent };
  return { ...seen, index, reported, from, source: "server", address: null };
}

/** The name of a request and the ids of its events, the same for every attempt; null without an `Idempotency-Key`. */
export function nameRequest(
  workspaceId: string,
  key: string | undefined,
  events: readonly (ServerEvent | ServerEventRefusal)[],
) {
  if (key === undefined) return null;
  // White space, the order of keys and the format (JSON or NDJSON) do not change the name.
  const content = events.map((event) =>
    typeof event === "string" ? event : [...FIELDS.map((field) => event[field]), ...toldBy(event)],
  );
  const digest = hash("sha256", JSON.stringify([workspaceId, key, content]), "buffer");
  const isTimed = events.every((event) => typeof event === "string" || event.occurredAt !== undefined);
  return requestEventIds(digest, isTimed);
}

/** Nothing for an event without a place: such a request has the name that earlier releases give it. */
function toldBy(event: ServerEvent): readonly (string | undefined)[] {
  const told = PLACE.map((field) => event[field]);
  return told.some((one) => one !== undefined) ? told : [];
}

/** The events of a request as one batch. `events` are in order of occurrence. */
export function batchOf(
  events: readonly AcceptedEvent[],
  name: ReturnType<typeof nameRequest>,
  now: number,
): RequestBatch {
  return {
    name: name?.request,
    idOf: name === null ? null : (position) => name.idOf(events[position]?.index ?? 0),
    identify: async (visitorsOf, limits) => {
      const today = await visitorsOf(now);
      const dayBegan = Math.floor(now / DAY_MS) * DAY_MS;
      // A day's salt is forgotten an hour after the day. Events reported later are hashed with the salt of the day on which they come.
      const isYesterdayKnown =
        now - dayBegan < HOUR_MS && events.some(({ occurredAt }) => occurredAt < dayBegan);
      const yesterday = isYesterdayKnown ? await visitorsOf(dayBegan - 1) : today;
      return events.map((event) => identify(event, event.occurredAt < dayBegan ? yesterday : today, limits));
    },
  };
}

/** Without an address no limit holds; without any sign of the visitor nothing is a duplicate. */
function identify(
  { ad, kind, occurredAt, reported, from }: AcceptedEvent,
  hashes: VisitorHashes,
  limits: TrackingLimits,
): Identity {
  const limit = from === null ? 0 : limitOf(ad, kind, limits);
  const windowMs = windowOf(kind, limits);
  const keyed = { adId: ad.id, kind, occurredAt };
  const visitor = visitorOf(ad, reported, from);
  const isNamed = visitor !== null && ad.rules.countVisitors;
  return {
    visitor: isNamed ? hashes.ofVisitor(...visitor) : NOBODY,
    limitKey: from === null || limit === 0 ? "" : hashes.limitKey(from.key, keyed),
    limit,
    windowMs,
    privateKeys:
      visitor === null || isNamed || windowMs === 0 ? "" : hashes.privateKeys(...visitor, keyed, windowMs),
  };
}

/** What tells a visitor apart: the workspace's own name for them, or else address and user agent; null where neither was sent. */
function visitorOf(
  { workspaceId }: CachedAd,
  { visitorId, userAgent = "" }: ServerEvent,
  from: AcceptedEvent["from"],
): [address: AddressKey, userAgent: string] | null {
  if (visitorId !== undefined) return [`net of ${workspaceId}`, `id\n${visitorId}`];
  return from === null ? null : [from.key, userAgent];
}
