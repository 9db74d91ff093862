import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ControlledLog } from "#libs/event-log/tests/controlled-log.ts";
import { createMemoryLimits, type Limits } from "#libs/limits/index.ts";
import { NO_OWN_LIMITS } from "#libs/placements/index.ts";
import { createServingMetrics } from "../answers/metrics.ts";
import { type ArrivedEvent, createEventRecorder } from "./record-events.ts";

const NOON = Date.UTC(2026, 10, 21, 12, 0, 30);
const PATIENCE_MS = 5_000;

describe("a batch that takes longer than its callers wait", () => {
  let log: ControlledLog;
  let limits: Limits;
  let record: (batch: readonly ArrivedEvent[]) => Promise<string[]>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    log = new ControlledLog();
    limits = createMemoryLimits({
      limits: {
        impressionsPerMinute: 0,
        clicksPerMinute: 0,
        impressionWindowMs: 10_000,
        clickWindowMs: 2_000,
      },
    });
    record = recorderOf(limits);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await limits.close();
  });

  function recorderOf(its: Limits) {
    return createEventRecorder({
      limits: its,
      salts: { of: (day) => its.visitorSalt(day) },
      log,
      metrics: createServingMetrics(new Registry()),
      onWarning: () => undefined,
    }).record;
  }

  async function giveUp(recording: Promise<unknown>): Promise<void> {
    const refused = expect(recording).rejects.toThrow("took over 5000 ms");
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await refused;
  }

  it("makes later events duplicates when it is stored after all", async () => {
    log.fate = "held";
    await giveUp(record([anImpression(NOON)]));
    log.release("taken");
    log.fate = "taken";

    const retried = await record([anImpression(NOON + 6_000)]);

    expect(retried).toEqual(["stored"]);
    expect(verdictsIn(log)).toEqual(["valid", "duplicate"]);
  });

  it("leaves no mark when it is not stored in the end", async () => {
    log.fate = "held";
    await giveUp(record([anImpression(NOON)]));
    log.release("away");
    log.fate = "taken";
    await vi.advanceTimersByTimeAsync(0);

    const retried = await record([anImpression(NOON + 6_000)]);

    expect(retried).toEqual(["stored"]);
    expect(verdictsIn(log)).toEqual(["valid"]);
  });

  it("is neither appended nor marked when it is judged only after that", async () => {
    const judging = Promise.withResolvers<void>();
    const slow: Limits = {
      ...limits,
      judge: async (events, batch) => {
        await judging.promise;
        return limits.judge(events, batch);
      },
    };
    await giveUp(recorderOf(slow)([anImpression(NOON)]));
    judging.resolve();
    await vi.advanceTimersByTimeAsync(0);

    const retried = await record([anImpression(NOON + 6_000)]);

    expect(retried).toEqual(["stored"]);
    expect(verdictsIn(log)).toEqual(["valid"]);
  });
});

it.each([
  ["in 1970", 0],
  ["in 2101", Date.UTC(2101)],
])(
  "acknowledges nothing while the clock is %s, which the stats store would refuse, and counts the retry",
  async (_when, wrong) => {
    const log = new ControlledLog();
    const limits = createMemoryLimits({
      limits: { impressionsPerMinute: 0, clicksPerMinute: 0, impressionWindowMs: 10_000, clickWindowMs: 0 },
    });
    onTestFinished(() => limits.close());
    const metrics = createServingMetrics(new Registry());
    const salts = { of: (day: string) => limits.visitorSalt(day) };
    const { record } = createEventRecorder({ limits, log, salts, metrics, onWarning: () => undefined });

    const early = record([anImpression(NOON), anImpression(wrong)]);

    await expect(early).rejects.toThrow("The clock is wrong");
    expect(log.taken).toEqual([]);
    expect(await record([anImpression(NOON + 1_000)])).toEqual(["stored"]);
    expect(verdictsIn(log)).toEqual(["valid"]);
  },
);

function verdictsIn({ taken }: ControlledLog): (string | undefined)[] {
  return taken.map(({ rows }) => /"(valid|duplicate)"/.exec(rows.toString())?.[1]);
}

function anImpression(occurredAt: number): ArrivedEvent {
  return {
    ad: {
      id: "ad_1",
      workspaceId: "ws_1",
      servedUntil: Number.POSITIVE_INFINITY,
      limits: NO_OWN_LIMITS,
      requireProof: false,
    },
    kind: "impression",
    address: "net 192.0.2.7",
    userAgent: "a browser",
    isAnonymous: false,
    verdict: "valid",
    occurredAt,
  };
}
