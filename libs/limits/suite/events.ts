import type { BatchToJudge, EventToJudge, Judgement, Limits, TrackingLimits } from "../port.ts";

/** A moment in the middle of a minute, so that tests choose when they cross into the next. */
export const NOON = Date.UTC(2026, 10, 21, 12, 0, 30);
export const LIMITS: TrackingLimits = {
  impressionsPerMinute: 30,
  clicksPerMinute: 10,
  impressionWindowMs: 10_000,
  clickWindowMs: 2_000,
};
export const NO_WINDOWS: TrackingLimits = { ...LIMITS, impressionWindowMs: 0, clickWindowMs: 0 };

/** Limits of the adapter under test that have seen nothing yet. */
export type Fresh = (limits?: TrackingLimits) => Promise<Limits>;

/** An impression at noon that can count. */
export function anEvent(event: Partial<EventToJudge>): EventToJudge {
  return {
    adId: "ad_0",
    kind: "impression",
    address: "a1b2c3d4e5f60718",
    visitor: "0123456789abcdef",
    countable: true,
    occurredAt: NOON,
    limit: null,
    ...event,
  };
}

let batches = 0;

/** A batch of its own. */
export function aBatch(batch: Partial<BatchToJudge> = {}): BatchToJudge {
  batches += 1;
  return { id: `batch${batches}`, ...batch };
}

/** Judges a batch whose events are stored at once. */
export async function judgementsOf(
  limits: Limits,
  events: readonly EventToJudge[],
  batch: Partial<BatchToJudge> = {},
): Promise<readonly Judgement[]> {
  const judged = await limits.judge(events, aBatch(batch));
  judged.confirm();
  return judged.judgements;
}
