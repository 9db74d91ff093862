import { type EventKind, encodeEventRow, type Verdict } from "#libs/domain/event.ts";
import type { EventLog } from "#libs/event-log/index.ts";
import { within } from "#libs/http/index.ts";
import type { Limits } from "#libs/limits/index.ts";
import { createComplaint, type Warn } from "./complaint.ts";
import { createEventIds } from "./event-id.ts";
import type { BatchStep, ServingMetrics } from "./metrics.ts";
import type { TrackedAd } from "./prepared-snapshot.ts";
import { combineVerdict } from "./verdict.ts";
import { createVisitors, type IdentifyVisitor } from "./visitor.ts";

/** An event as the request brought it. Address and user agent stay in memory and go no further than their hashes. */
export interface ArrivedEvent {
  readonly ad: TrackedAd;
  readonly kind: EventKind;
  readonly address: string;
  readonly userAgent: string;
  /** What the request alone tells. */
  readonly verdict: Verdict;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** `stored` is durable; `limited` is stored nowhere. */
export type Outcome = "stored" | "limited";

export interface EventRecorderOptions {
  readonly limits: Limits;
  readonly log: EventLog;
  readonly metrics: ServingMetrics;
  readonly onWarning: Warn;
}

/** A null verdict: over the limit, stored nowhere. */
interface JudgedEvent {
  readonly event: ArrivedEvent;
  readonly visitor: string;
  readonly verdict: Verdict | null;
}

/** For a whole batch. A caller that waits longer has given up. */
const STORED_WITHIN_MS = 5_000;

/**
 * Makes the function that judges a batch, appends it to the log, and gives the outcome of each of its events in order.
 * It rejects when any step fails: then no event of the batch may be acknowledged.
 */
export function createEventRecorder(
  options: EventRecorderOptions,
): (batch: readonly ArrivedEvent[]) => Promise<Outcome[]> {
  const { limits, log, metrics, onWarning } = options;
  const visitorsOf = createVisitors(limits);
  const newEventId = createEventIds();
  const complain = createComplaint(onWarning, "Events cannot be stored; they are answered with 503.");

  async function judge(batch: readonly ArrivedEvent[], identify: IdentifyVisitor): Promise<JudgedEvent[]> {
    const asked = batch.map((event) => ({ event, ...identify(event.address, event.userAgent) }));
    const judgements = await limits.judge(
      asked.map(({ event, address, visitor }) => ({
        adId: event.ad.id,
        kind: event.kind,
        address,
        visitor,
        countable: event.verdict === "valid",
        occurredAt: event.occurredAt,
      })),
    );
    return asked.map(({ event, visitor }, index) => {
      const judgement = judgements[index];
      if (judgement === undefined) throw new Error("There are fewer judgements than events.");
      const verdict = judgement === "limited" ? null : combineVerdict(event.verdict, judgement);
      return { event, visitor, verdict };
    });
  }

  async function append(judged: readonly JudgedEvent[]): Promise<void> {
    let rows = "";
    let count = 0;
    for (const { event, visitor, verdict } of judged) {
      if (verdict === null) continue;
      const { ad, kind, occurredAt } = event;
      const id = newEventId(occurredAt);
      rows += encodeEventRow({
        id,
        workspaceId: ad.workspaceId,
        adId: ad.id,
        kind,
        verdict,
        visitor,
        occurredAt,
      });
      count += 1;
    }
    if (count > 0) await log.append({ rows: Buffer.from(rows), count });
  }

  return async (batch) => {
    const stopTimer = metrics.batchSeconds.startTimer();
    let step: BatchStep = "salt";
    const record = async () => {
      const identify = await visitorsOf(batch.at(-1)?.occurredAt ?? 0);
      step = "judge";
      const judged = await judge(batch, identify);
      step = "append";
      await append(judged);
      return judged;
    };
    try {
      const judged = await within(STORED_WITHIN_MS, "storing a batch of events", record());
      metrics.batchEvents.observe(batch.length);
      return judged.map(({ event, verdict }) => {
        if (verdict === null) metrics.countRefused(event.kind, "limited");
        else metrics.countStored(event.kind, verdict);
        return verdict === null ? "limited" : "stored";
      });
    } catch (error) {
      metrics.batchFailures.inc({ step });
      for (const { kind } of batch) metrics.countRefused(kind, "failed");
      complain(error);
      throw error;
    } finally {
      stopTimer();
    }
  };
}
