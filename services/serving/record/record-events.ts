import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createThrottledWarning, type Warn, within } from "#libs/async/index.ts";
import { type EventKind, type EventSource, isStorableTime } from "#libs/domain/event.ts";
import { encodeLoggedEvent, type LoggedEvent } from "#libs/domain/logged-event.ts";
import type { TrackingLimits } from "#libs/domain/tracking-limits.ts";
import type { EventLog } from "#libs/event-log/index.ts";
import type { AddressKey } from "#libs/http/index.ts";
import type { BatchStep, ServingMetrics } from "../answers/metrics.ts";
import type { Countries } from "../countries/country-table.ts";
import { limitOf, windowOf } from "../verdict/verdict.ts";
import { createVisitors, type VisitorHashes } from "../verdict/visitor.ts";
import type { VisitorSalts } from "../verdict/visitor-salts.ts";
import { countVerdicts } from "./count-verdicts.ts";
import { createEventIds } from "./event-id.ts";
import { createEventPlaces, type PlacedEvent } from "./event-places.ts";
import { ProcessLimits } from "./process-limits.ts";

export interface RecordableEvent extends PlacedEvent {
  readonly kind: EventKind;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly source: EventSource;
}

/** An event as it arrived from a visitor. */
export interface ArrivedEvent extends RecordableEvent {
  readonly address: AddressKey;
  /** Whether the visitor asks not to be recognized: no hash of them is stored. */
  readonly isAnonymous: boolean;
}

/** What the judge needs to know of an event. It goes into the event's line of the log. */
export type Identity = Pick<LoggedEvent, "visitor" | "limitKey" | "limit" | "windowMs" | "privateKeys">;

/** A request whose events form a batch of their own. */
export interface RequestBatch {
  /** The same for every attempt of the request; undefined without an `Idempotency-Key`. */
  readonly name: string | undefined;
  /** Returns the id of an event by its place in the batch; null where each attempt makes new ids. */
  readonly idOf: ((place: number) => string) | null;
  /** `visitorsOf` hashes with the salt of a time's UTC day. */
  readonly identify: (
    visitorsOf: (time: number) => Promise<VisitorHashes>,
    limits: TrackingLimits,
  ) => Promise<Identity[]>;
}

/** Stores batches. Both return the outcome of each event, in order, and reject when none may be acknowledged. */
export interface EventRecorder {
  /** Events of several requests. */
  record(batch: readonly ArrivedEvent[]): Promise<Outcome[]>;
  recordRequest(events: readonly RecordableEvent[], request: RequestBatch): Promise<Outcome[]>;
}

/** `stored`: the event is durable. `limited`: it is not stored, because its address has used up the limit in this process. */
export type Outcome = "stored" | "limited";

export interface EventRecorderOptions {
  readonly limits: TrackingLimits;
  readonly log: EventLog;
  readonly salts: Pick<VisitorSalts, "of">;
  /** Names the country of an event whose request does not. */
  readonly countries: Countries;
  readonly metrics: ServingMetrics;
  readonly onWarning: Warn;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Milliseconds from when a batch leaves `TrackingBatch` until it is stored or given up. */
const STORED_WITHIN_MS = 5_000;
/** The refused events of this many requests are remembered for an hour, because a client may repeat a request: two bytes each. */
const REMEMBERED_REQUESTS = { max: 10_000, ttl: 3_600_000 };

/**
 * Creates the recorder, which appends batches to the log. `{"success": true}` says only that the event is durable: ingestion decides
 * which events count. When a step fails, no event of the batch may be acknowledged.
 */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { limits, log, salts, metrics, onWarning } = options;
  const visitorsOf = createVisitors(salts);
  const newEventId = createEventIds();
  const warn = createThrottledWarning(onWarning);
  const taken = new ProcessLimits();
  const placeOf = createEventPlaces(options.countries, options.now);
  const refusedOf = new LRUCache<string, Uint16Array>(REMEMBERED_REQUESTS);

  function identify(event: ArrivedEvent, hashes: VisitorHashes): Identity {
    const { ad, kind, address, userAgent, isAnonymous, verdict, occurredAt } = event;
    const limit = limitOf(ad, kind, limits);
    const windowMs = windowOf(kind, limits);
    const keyed = { adId: ad.id, kind, occurredAt };
    const isUnnamed = isAnonymous || !ad.rules.countVisitors;
    const hasKeys = isUnnamed && windowMs > 0 && verdict === "valid";
    return {
      visitor: isUnnamed ? "" : hashes.ofVisitor(address, userAgent),
      limitKey: limit === 0 ? "" : hashes.limitKey(address, keyed),
      limit,
      windowMs,
      privateKeys: hasKeys ? hashes.privateKeys(address, userAgent, keyed, windowMs) : "",
    };
  }

  /** Takes the limits of the events. Returns the places of those that are over one. */
  function refuse(identities: readonly Identity[], name: string | undefined): ReadonlySet<number> {
    taken.expire();
    const refused = new Set<number>();
    for (const [place, { limitKey, limit }] of identities.entries())
      if (!taken.take(limitKey, limit)) refused.add(place);
    if (name !== undefined) refusedOf.set(name, Uint16Array.from(refused));
    return refused;
  }

  /** Undoes `refuse` for a batch that is not acknowledged. */
  function giveBack(
    identities: readonly Identity[],
    refused: ReadonlySet<number>,
    name: string | undefined,
  ): void {
    if (name !== undefined) refusedOf.delete(name);
    for (const [place, { limitKey, limit }] of identities.entries())
      if (limit > 0 && !refused.has(place)) taken.giveBack(limitKey);
  }

  async function append(
    batch: readonly RecordableEvent[],
    identities: readonly Identity[],
    refused: ReadonlySet<number>,
    request: RequestBatch | undefined,
  ): Promise<void> {
    let lines = "";
    for (const [place, event] of batch.entries()) {
      const { ad, kind, verdict, occurredAt, source } = event;
      const identity = identities[place];
      if (identity === undefined) throw new Error("There are fewer identities than events.");
      if (refused.has(place)) continue;
      const id = request?.idOf?.(place) ?? newEventId(occurredAt);
      lines += encodeLoggedEvent({
        id,
        workspaceId: ad.workspaceId,
        adId: ad.id,
        kind,
        verdict,
        occurredAt,
        source,
        place: placeOf(event),
        ...identity,
      });
    }
    const count = batch.length - refused.size;
    const name = request?.name === undefined ? {} : { name: request.name };
    if (count > 0) await log.append({ rows: Buffer.from(lines, "latin1"), count, ...name });
  }

  async function store(
    batch: readonly RecordableEvent[],
    identifyBatch: () => Promise<Identity[]>,
    request?: RequestBatch,
  ): Promise<Outcome[]> {
    const stopTimer = metrics.batchSeconds.startTimer();
    let step: BatchStep = "salt";
    let isGivenUp = false;
    const record = async () => {
      refuseWrongClock(batch);
      const identities = await identifyBatch();
      if (isGivenUp) throw new Error("The batch was given up before it was appended.");
      step = "append";
      const name = attemptName(request, identities);
      // A repeated request keeps the refusals of its first attempt. It takes nothing from the limits, so it gives nothing back.
      const known = name === undefined ? undefined : refusedOf.get(name);
      const refused = known === undefined ? refuse(identities, name) : new Set(known);
      try {
        await append(batch, identities, refused, request);
      } catch (error) {
        if (known === undefined) giveBack(identities, refused, name);
        throw error;
      }
      return refused;
    };
    try {
      const refused = await within(STORED_WITHIN_MS, "storing a batch of events", record());
      metrics.batchEvents.observe(batch.length);
      countVerdicts(metrics, batch, refused);
      return batch.map((_, place) => (refused.has(place) ? "limited" : "stored"));
    } catch (error) {
      isGivenUp = true;
      metrics.batchFailures.inc({ step });
      for (const { kind } of batch) metrics.countRefused(kind, "failed");
      warn("Events cannot be stored; they are answered with 503.", error);
      throw error;
    } finally {
      stopTimer();
    }
  }

  return {
    record: (batch) =>
      store(batch, async () => {
        const hashes = await visitorsOf(batch.at(-1)?.occurredAt ?? 0);
        return batch.map((event) => identify(event, hashes));
      }),
    recordRequest: (events, request) => store(events, () => request.identify(visitorsOf, limits), request),
  };
}

/**
 * Names an attempt by its events and their limit keys. Two attempts of one request differ if other events were accepted, or if the
 * day's salt has changed.
 */
function attemptName(request: RequestBatch | undefined, identities: readonly Identity[]): string | undefined {
  if (request?.name === undefined) return undefined;
  const ids = identities.map(({ limitKey }, place) => `${request.idOf?.(place)} ${limitKey}`);
  return hash("sha256", ids.join(), "base64url");
}

/** Throws while the clock is wrong: the stats store would later refuse acknowledged events. */
function refuseWrongClock(batch: readonly RecordableEvent[]): void {
  const wrong = batch.find(({ occurredAt }) => !isStorableTime(occurredAt));
  if (wrong !== undefined)
    throw new Error(`The clock is wrong: it says ${new Date(wrong.occurredAt).toISOString()}.`);
}
