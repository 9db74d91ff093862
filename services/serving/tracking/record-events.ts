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
import type { EventToJudge, JudgedBatch, Limits } from "#libs/limits/index.ts";
import type { BatchStep, ServingMetrics } from "../answers/metrics.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import { createEventIds } from "./event-id.ts";
import type { UnjudgedEvents } from "./unjudged.ts";
import { combineVerdict } from "./verdict.ts";
import { createVisitors, type IdentifyVisitor } from "./visitor.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

/** An event as it arrived. Address and user agent stay in memory; only their hashes leave it. */
export interface ArrivedEvent {
  readonly ad: CachedAd;
  readonly kind: EventKind;
  readonly address: AddressKey;
  readonly userAgent: string;
  /** Whether the visitor asks not to be recognized: no hash of them is stored. */
  readonly isAnonymous: boolean;
  /** The verdict that the request alone allows. */
  readonly verdict: Verdict;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
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
const NONE: ReadonlySet<number> = new Set();

/**
 * Creates the function that judges a batch, appends it to the log, and returns the outcome of each event, in order. It
 * rejects when a step fails: then no event of the batch may be acknowledged.
 *
 *     judge ─▶ append ─┬─ durable ────────▶ confirm: later events of the visitors are duplicates
 *                      ├─ not stored ─────▶ drop: as if they had not been judged, so that a retry counts
 *                      └─ unclear ────────▶ neither: a retry may be judged a duplicate, and then fails
 *       └──▶ cannot be judged now ──▶ kept unjudged, and judged later (`unjudged.ts`)
 */
export function createEventRecorder(
  options: EventRecorderOptions,
): (batch: readonly ArrivedEvent[]) => Promise<Outcome[]> {
  const { limits, log, salts, unjudged, metrics, onWarning } = options;
  const visitorsOf = createVisitors(salts);
  const newEventId = createEventIds();
  const warn = createThrottledWarning(onWarning);

  function identifyAll(batch: readonly ArrivedEvent[], identify: IdentifyVisitor): EventToJudge[] {
    return batch.map(({ ad, kind, address, userAgent, isAnonymous, verdict, occurredAt }) => {
      const visitor = identify(address, userAgent);
      return {
        adId: ad.id,
        kind,
        address: visitor.address,
        visitor: isAnonymous ? neverStored(visitor.visitor) : visitor.visitor,
        countable: verdict === "valid",
        occurredAt,
        limit: kind === "click" ? ad.limits.clicksPerMinute : ad.limits.impressionsPerMinute,
      };
    });
  }

  /** Appends the events that are within their limits. Returns the final verdicts, null for those over a limit. */
  async function append(
    batch: readonly ArrivedEvent[],
    identified: readonly EventToJudge[],
    judged: JudgedBatch,
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
      const id = newEventId(occurredAt);
      rows += encodeEventRow({ id, workspaceId: ad.workspaceId, adId, kind, verdict, visitor, occurredAt });
      count += 1;
      return verdict;
    });
    try {
      if (count > 0) await log.append({ rows: Buffer.from(rows), count });
    } catch (error) {
      if (isCertain(error)) await judged.drop();
      throw error;
    }
    judged.confirm();
    return verdicts;
  }

  /** Null when the batch could not be judged and was kept, durably, to be judged later. */
  async function judgeOrKeep(
    batch: readonly ArrivedEvent[],
    identified: readonly EventToJudge[],
  ): Promise<JudgedBatch | null> {
    const id = newEventId(batch.at(-1)?.occurredAt ?? 0);
    try {
      return await limits.judge(identified, { id });
    } catch (error) {
      try {
        if (unjudged === undefined) throw error;
        await keep(unjudged, id, batch, identified, batch.keys());
      } catch (failure) {
        void limits.abandon(id, identified);
        throw failure;
      }
      void limits.settle(id);
      return null;
    }
  }

  /** The indexes of duplicates that must not be acknowledged. */
  async function findLost(
    batch: readonly ArrivedEvent[],
    identified: readonly EventToJudge[],
    judged: JudgedBatch,
  ): Promise<ReadonlySet<number>> {
    const lost = await judged.lostDuplicates();
    if (lost.size === 0 || unjudged === undefined) return lost;
    const id = newEventId(batch.at(-1)?.occurredAt ?? 0);
    // Once the fate of their originals is known, those that count after all are stored again.
    return keep(unjudged, id, batch, identified, lost, true).then(
      () => NONE,
      () => lost,
    );
  }

  async function keep(
    where: UnjudgedEvents,
    id: string,
    batch: readonly ArrivedEvent[],
    identified: readonly EventToJudge[],
    indexes: Iterable<number>,
    isStored = false,
  ): Promise<void> {
    const kept = Array.from(indexes).flatMap((index) => {
      const [event, toJudge] = [batch[index], identified[index]];
      if (event === undefined || toJudge === undefined) return [];
      const { ad, verdict, occurredAt } = event;
      return [{ id: newEventId(occurredAt), workspaceId: ad.workspaceId, toJudge, verdict, isStored }];
    });
    await where.keep(id, kept);
  }

  return async (batch) => {
    const stopTimer = metrics.batchSeconds.startTimer();
    let step: BatchStep = "salt";
    let isGivenUp = false;
    const record = async () => {
      refuseWrongClock(batch);
      const identify = await visitorsOf(batch.at(-1)?.occurredAt ?? 0);
      step = "judge";
      const identified = identifyAll(batch, identify);
      const judged = await judgeOrKeep(batch, identified);
      if (judged === null) return null;
      if (isGivenUp) {
        await judged.drop();
        throw new Error("The batch was given up before it was appended.");
      }
      step = "append";
      const verdicts = await append(batch, identified, judged);
      return { verdicts, lost: await findLost(batch, identified, judged) };
    };
    try {
      const recorded = await within(STORED_WITHIN_MS, "storing a batch of events", record());
      metrics.batchEvents.observe(batch.length);
      if (recorded === null) return batch.map(() => "stored");
      const { verdicts, lost } = recorded;
      for (const { kind, verdict, events } of runsOf(batch, verdicts)) {
        if (verdict === null) metrics.countRefused(kind, "limited", events);
        else metrics.countStored(kind, verdict, events);
      }
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
  };
}

/** Throws while the clock is wrong: the stats store would later refuse acknowledged events. */
function refuseWrongClock(batch: readonly ArrivedEvent[]): void {
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

interface Run {
  readonly kind: EventKind;
  readonly verdict: Verdict | null;
  events: number;
}

/** Neighbors of one kind and verdict, counted in one go: under load a batch has only a few such runs. */
function runsOf(batch: readonly ArrivedEvent[], verdicts: readonly (Verdict | null)[]): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const [index, { kind }] of batch.entries()) {
    const verdict = verdicts[index] ?? null;
    if (run?.kind === kind && run.verdict === verdict) run.events += 1;
    else {
      run = { kind, verdict, events: 1 };
      runs.push(run);
    }
  }
  return runs;
}
