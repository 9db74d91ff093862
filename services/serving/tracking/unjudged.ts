import { z } from "zod";
import { createThrottledWarning, type Warn } from "#libs/async/index.ts";
import { EVENT_KINDS, encodeEventRow, VERDICTS, type Verdict } from "#libs/domain/event.ts";
import { type EventBatch, EventLogError, type LateJudge, type SpillingLog } from "#libs/event-log/index.ts";
import { type EventToJudge, type JudgedBatch, type Limits, LimitsError } from "#libs/limits/index.ts";
import type { ServingMetrics } from "../answers/metrics.ts";
import { countVerdicts } from "./count-verdicts.ts";
import { combineVerdict } from "./verdict.ts";

/** An event that was identified: what of it may leave the process's memory. */
export interface IdentifiedEvent {
  /** `evt_…`, the same however often it is judged. */
  readonly id: string;
  readonly workspaceId: string;
  readonly toJudge: EventToJudge;
  /** The verdict that the request alone allows. */
  readonly verdict: Verdict;
}

export interface UnjudgedEventsOptions {
  readonly spill: Pick<SpillingLog, "appendUnjudged" | "judgeLate">;
  readonly limits: Pick<Limits, "judge">;
  readonly metrics: Pick<ServingMetrics, "countUnjudged" | "countStored" | "countRefused">;
  readonly onWarning: Warn;
}

/** Keeps events on the disk that cannot be judged now. */
export interface UnjudgedEvents {
  /** Whether earlier events are still being judged, so that the next ones have to be kept behind them. */
  readonly isBehind: boolean;
  /** A batch could not be judged. */
  fallBehind(): void;
  /** Resolves when the batch is durable. `id` is what it is judged by, later; `name` that of its `EventBatch`. */
  keep(id: string, events: readonly IdentifiedEvent[], name?: string): Promise<void>;
}

/**
 * Keeps batches unjudged, and judges them when the judge is back. Every step may be repeated after a crash: a batch that is judged
 * again under its id comes out the same, with the same ids of events, and the log marks it as a repetition.
 */
export function createUnjudgedEvents(options: UnjudgedEventsOptions): UnjudgedEvents {
  const { spill, limits, metrics, onWarning } = options;
  const warn = createThrottledWarning(onWarning);
  const backlog = new Backlog();

  const judgeLate: LateJudge = async (content) => {
    const { id, events } = decode(content);
    const toJudge = events.map((event) => event.toJudge);
    backlog.triedAt = performance.now();
    const judged = await judgeKept(limits, id, toJudge);
    backlog.judged(Math.max(...toJudge.map(({ occurredAt }) => occurredAt)), Date.now());
    const verdicts = events.map((event, index) => {
      const judgement = judged.judgements[index] ?? "limited";
      return judgement === "limited" ? null : combineVerdict(event.verdict, judgement);
    });
    const rows = events.flatMap((event, index) => {
      const verdict = verdicts[index] ?? null;
      return verdict === null ? [] : [rowOf(event, verdict)];
    });
    return {
      batch: { rows: Buffer.from(rows.join("")), count: rows.length },
      confirm() {
        judged.confirm();
        countVerdicts(metrics, toJudge, verdicts);
      },
    };
  };
  spill.judgeLate(judgeLate);

  return {
    get isBehind() {
      return backlog.isBehind;
    },
    fallBehind: () => backlog.begin(),
    async keep(id, events, name) {
      await spill.appendUnjudged({ ...encode(id, events), ...(name === undefined ? {} : { name }) });
      for (const { toJudge } of events) metrics.countUnjudged(toJudge.kind);
      warn("Events cannot be judged; they are kept on the disk and judged later.");
    },
  };
}

/**
 * Judges a batch under its id or, if that is refused, under `<id>-again`. A refused batch leaves nothing behind, so the result is
 * the same each time. An outage is `EventLogError` `UNAVAILABLE`.
 */
async function judgeKept(
  limits: Pick<Limits, "judge">,
  id: string,
  events: readonly EventToJudge[],
): Promise<JudgedBatch> {
  // Remembered after it is confirmed: the process may die before the file is gone.
  const judge = (name: string) =>
    limits.judge(events, { id: name, isLate: true, isDurable: true, isRepeatable: true });
  try {
    return await judge(id).catch((error: unknown) => {
      if (error instanceof LimitsError && error.code === "REFUSED") return judge(`${id}-again`);
      throw error;
    });
  } catch (cause) {
    if (!(cause instanceof LimitsError) || cause.code !== "UNAVAILABLE") throw cause;
    throw new EventLogError("UNAVAILABLE", `Events cannot be judged: ${cause.message}.`, { cause });
  }
}

/** Events that occurred this long ago, in milliseconds, are judged in time. */
const IN_TIME_MS = 1_000;
/** Under a load that lets nobody catch up, events are judged at once again this long after the judge is back. */
const LONGEST_BEHIND_MS = 30_000;
/** If nothing was judged for this long, no batch waits, or what waits does not wait for the judge. */
const TRIED_WITHIN_MS = 5_000;

/**
 * Whether this process still judges earlier events. New events then wait behind them, so that a process judges in order, and
 * several processes judge the same time at about the same time: marks of events that are judged on time do not live for long.
 */
class Backlog {
  triedAt = 0;
  #isBehind = false;
  #backAt = Number.POSITIVE_INFINITY;

  get isBehind(): boolean {
    const now = performance.now();
    if (!this.#isBehind) return false;
    return now - this.triedAt < TRIED_WITHIN_MS && now - this.#backAt < LONGEST_BEHIND_MS;
  }

  begin(): void {
    this.#isBehind = true;
    this.triedAt = performance.now();
    this.#backAt = Number.POSITIVE_INFINITY;
  }

  judged(occurredAt: number, now: number): void {
    if (this.#backAt === Number.POSITIVE_INFINITY) this.#backAt = performance.now();
    if (now - occurredAt < IN_TIME_MS) this.#isBehind = false;
  }
}

function rowOf({ id, workspaceId, toJudge }: IdentifiedEvent, verdict: Verdict): string {
  const { adId, kind, visitor, occurredAt } = toJudge;
  return encodeEventRow({ id, workspaceId, adId, kind, verdict, visitor, occurredAt });
}

const unjudged = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.enum(EVENT_KINDS),
  z.enum(VERDICTS),
  z.string(),
  z.string(),
  z.boolean(),
  z.number(),
  z.number().nullable(),
]);

/** A line with the batch's id, then one for each event. */
function encode(batchId: string, events: readonly IdentifiedEvent[]): EventBatch {
  const lines = events.map(({ id, workspaceId, toJudge, verdict }) => {
    const { adId, kind, address, visitor, countable, occurredAt, limit } = toJudge;
    const columns: z.infer<typeof unjudged> = [
      id,
      workspaceId,
      adId,
      kind,
      verdict,
      address,
      visitor,
      countable,
      occurredAt,
      limit,
    ];
    return JSON.stringify(columns);
  });
  return { rows: Buffer.from(`${[batchId, ...lines].join("\n")}\n`), count: events.length };
}

function decode(content: Buffer): { readonly id: string; readonly events: readonly IdentifiedEvent[] } {
  const [id = "", ...lines] = content.toString().trimEnd().split("\n");
  try {
    return { id, events: lines.map(decodeEvent) };
  } catch (cause) {
    throw new EventLogError("REFUSED", "The unjudged batch is of a form that this release cannot read.", {
      cause,
    });
  }
}

function decodeEvent(line: string): IdentifiedEvent {
  const columns = unjudged.parse(JSON.parse(line));
  const [id, workspaceId, adId, kind, verdict, address, visitor, countable, occurredAt, limit] = columns;
  const toJudge = { adId, kind, address, visitor, countable, occurredAt, limit };
  return { id, workspaceId, toJudge, verdict };
}
