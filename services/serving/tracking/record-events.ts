import { createThrottledWarning, type Warn, within } from "#libs/async/index.ts";
import {
  type EventKind,
  encodeEventRow,
  isStorableTime,
  neverStored,
  type Verdict,
} from "#libs/domain/event.ts";
import { type EventLog, EventLogError } from "#libs/event-log/index.ts";
import type { AddressKey } from "#libs/http/index.ts";
import type { BatchToJudge, EventToJudge, JudgedBatch, Limits } from "#libs/limits/index.ts";
import type { BatchStep, ServingMetrics } from "../answers/metrics.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import { countVerdicts } from "./count-verdicts.ts";
import { createEventIds } from "./event-id.ts";
import type { UnjudgedEvents } from "./unjudged.ts";
import { combineVerdict, limitOf } from "./verdict.ts";
import { createVisitors, type VisitorHashes } from "./visitor.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

export interface RecordableEvent {
  readonly ad: CachedAd;
  readonly kind: EventKind;
  /** The verdict that the request alone allows. */
  readonly verdict: Verdict;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** An event as it arrived. Address and user agent stay in memory; only their hashes leave it. */
export interface ArrivedEvent extends RecordableEvent {
  readonly address: AddressKey;
  readonly userAgent: string;
  /** Whether the visitor asks not to be recognized: no hash of them is stored. */
  readonly isAnonymous: boolean;
}

/** How the events of a request are recorded that is a batch of its own. */
export interface RequestBatch {
  readonly judged: Omit<BatchToJudge, "id">;
  /** The judge's name for it once its visitors are hashed; null for a new one. */
  readonly judgedAs: ((identified: readonly EventToJudge[]) => string) | null;
  /** The same each time that the request is sent; undefined if nobody knows whether it is. */
  readonly name: string | undefined;
  /** The id of an event, by its place in the batch; null for a new one. */
  readonly idOf: ((place: number) => string) | null;
  /** `visitorsOf` hashes with the salt of a time's UTC day. */
  readonly identify: (visitorsOf: (time: number) => Promise<VisitorHashes>) => Promise<EventToJudge[]>;
}

/** Judges and stores batches. Both return the outcome of each event, in order, and reject when none may be acknowledged. */
export interface EventRecorder {
  /** Events of several requests. */
  record(batch: readonly ArrivedEvent[]): Promise<Outcome[]>;
  recordRequest(events: readonly RecordableEvent[], request: RequestBatch): Promise<Outcome[]>;
}

/**
 * - `stored`: it is durable; if it is a duplicate, so is its original
 * - `limited`: it is not stored
 * - `failed`: it is a duplicate of an event that was not stored, or not yet; a retry may succeed
 */
export type Outcome = "stored" | "limited" | "failed";

export interface EventRecorderOptions {
  readonly limits: Limits;
  readonly log: EventLog;
  readonly salts: Pick<VisitorSalts, "of">;
  /** Keeps what cannot be judged. Without it such events are answered with 503. */
  readonly unjudged?: UnjudgedEvents | undefined;
  readonly metrics: ServingMetrics;
  readonly onWarning: Warn;
}

/** For a whole batch, from when it leaves; its events may have waited for earlier batches before. */
const STORED_WITHIN_MS = 5_000;

/**
 * Creates what judges a batch and appends it to the log. When a step fails, no event of the batch may be acknowledged.
 *
 *     judge ─▶ append ─┬─ durable ────────▶ confirm: later events of the visitors are duplicates
 *                      ├─ not stored ─────▶ drop: as if they had not been judged, so that a retry counts
 *                      └─ unclear ────────▶ neither: a retry may be judged a duplicate, and then fails
 *       └──▶ cannot be judged now ──▶ kept unjudged, and judged later (`unjudged.ts`)
 */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { limits, log, salts, unjudged, metrics, onWarning } = options;
  const visitorsOf = createVisitors(salts);
  const newEventId = createEventIds();
  const warn = createThrottledWarning(onWarning);

  function identifyAll(batch: readonly ArrivedEvent[], hashes: VisitorHashes): EventToJudge[] {
    return batch.map(({ ad, kind, address, userAgent, isAnonymous, verdict, occurredAt }) => {
      const visitor = hashes.ofVisitor(address, userAgent);
      return {
        adId: ad.id,
        kind,
        address: hashes.ofAddress(address),
        visitor: isAnonymous ? neverStored(visitor) : visitor,
        countable: verdict === "valid",
        occurredAt,
        limit: limitOf(ad, kind),
      };
    });
  }

  /** Appends the events that are within their limits. Returns the final verdicts, null for those over a limit. */
  async function append(
    batch: readonly RecordableEvent[],
    identified: readonly EventToJudge[],
    judged: JudgedBatch,
    request: RequestBatch | undefined,
  ): Promise<(Verdict | null)[]> {
    let rows = "";
    let count = 0;
    const verdicts = batch.map(({ ad, verdict: soFar }, index) => {
      const event = identified[index];
      const judgement = judged.judgements[index];
      if (event === undefined || judgement === undefined)
        throw new Error("There are fewer judgements than events.");
      if (judgement === "limited") return null;
      const { adId, kind, visitor, occurredAt } = event;
      const verdict = combineVerdict(soFar, judgement);
      const id = request?.idOf?.(index) ?? newEventId(occurredAt);
      rows += encodeEventRow({ id, workspaceId: ad.workspaceId, adId, kind, verdict, visitor, occurredAt });
      count += 1;
      return verdict;
    });
    try {
      if (count > 0) await log.append({ rows: Buffer.from(rows), count, ...named(request) });
    } catch (error) {
      if (isCertain(error)) await judged.drop();
      throw error;
    }
    judged.confirm();
    return verdicts;
  }

  /** Null when the batch could not be judged and was kept, durably, to be judged later. */
  async function judgeOrKeep(
    batch: readonly RecordableEvent[],
    identified: readonly EventToJudge[],
    request: RequestBatch | undefined,
  ): Promise<JudgedBatch | null> {
    const id = request?.judgedAs?.(identified) ?? newEventId(batch.at(-1)?.occurredAt ?? 0);
    if (unjudged?.isBehind) {
      await keep(unjudged, { id, batch, identified, request });
      return null;
    }
    try {
      return await limits.judge(identified, { ...request?.judged, id });
    } catch (error) {
      try {
        if (unjudged === undefined) throw error;
        unjudged.fallBehind();
        await keep(unjudged, { id, batch, identified, request });
      } catch (failure) {
        void limits.abandon(id);
        throw failure;
      }
      void limits.settle(id);
      return null;
    }
  }

  async function keep(
    where: UnjudgedEvents,
    { id: batchId, batch, identified, request }: KeptEvents,
  ): Promise<void> {
    const kept = batch.flatMap(({ ad, verdict, occurredAt }, index) => {
      const toJudge = identified[index];
      if (toJudge === undefined) return [];
      const id = request?.idOf?.(index) ?? newEventId(occurredAt);
      return [{ id, workspaceId: ad.workspaceId, toJudge, verdict }];
    });
    await where.keep(batchId, kept, request?.name);
  }

  async function store(
    batch: readonly RecordableEvent[],
    identifyBatch: () => Promise<EventToJudge[]>,
    request?: RequestBatch,
  ): Promise<Outcome[]> {
    const stopTimer = metrics.batchSeconds.startTimer();
    let step: BatchStep = "salt";
    let isGivenUp = false;
    const record = async () => {
      refuseWrongClock(batch);
      const identified = await identifyBatch();
      step = "judge";
      const judged = await judgeOrKeep(batch, identified, request);
      if (judged === null) return null;
      if (isGivenUp) {
        await judged.drop();
        throw new Error("The batch was given up before it was appended.");
      }
      step = "append";
      const verdicts = await append(batch, identified, judged, request);
      return { verdicts, lost: await judged.lostDuplicates() };
    };
    try {
      const recorded = await within(STORED_WITHIN_MS, "storing a batch of events", record());
      metrics.batchEvents.observe(batch.length);
      if (recorded === null) return batch.map(() => "stored");
      const { verdicts, lost } = recorded;
      countVerdicts(metrics, batch, verdicts);
      return verdicts.map((verdict, index) => outcomeOf(verdict, lost.has(index)));
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
      store(batch, async () => identifyAll(batch, await visitorsOf(batch.at(-1)?.occurredAt ?? 0))),
    recordRequest: (events, request) => store(events, () => request.identify(visitorsOf), request),
  };
}

interface KeptEvents {
  readonly id: string;
  readonly batch: readonly RecordableEvent[];
  readonly identified: readonly EventToJudge[];
  readonly request: RequestBatch | undefined;
}

function named(request: RequestBatch | undefined): { readonly name?: string } {
  return request?.name === undefined ? {} : { name: request.name };
}

/** Throws while the clock is wrong: the stats store would later refuse acknowledged events. */
function refuseWrongClock(batch: readonly RecordableEvent[]): void {
  const wrong = batch.find(({ occurredAt }) => !isStorableTime(occurredAt));
  if (wrong !== undefined)
    throw new Error(`The clock is wrong: it says ${new Date(wrong.occurredAt).toISOString()}.`);
}

/** Whether a failed append is known to have stored nothing. */
function isCertain(error: unknown): boolean {
  return error instanceof EventLogError && error.code !== "UNCLEAR";
}

function outcomeOf(verdict: Verdict | null, isLost: boolean): Outcome {
  if (verdict === null) return "limited";
  return verdict === "duplicate" && isLost ? "failed" : "stored";
}
