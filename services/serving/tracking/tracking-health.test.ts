import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { watchTracking } from "./tracking-health.ts";

async function functions(limitsAreWritable: boolean, spill?: { readonly isFull: boolean }) {
  const limits = { isWritable: async () => limitsAreWritable };
  const state = {
    waitingBytes: 0,
    waitingBatches: 0,
    waiting: {
      unsent: { batches: 0, events: 0 },
      unclear: { batches: 0, events: 0 },
      unjudged: { batches: 0, events: 0 },
      held: { batches: 0, events: 0 },
    },
    oldestAgeSeconds: 0,
    maxBytes: 1,
    logIsAway: false,
    spilled: 0,
    replayed: 0,
    refused: 0,
  };
  const spilling = spill && { spillState: () => ({ ...state, ...spill }) };
  const registry = new Registry();
  const checks = watchTracking({ isWritable: true }, limits, registry, spilling);
  const tracking = (await Promise.all(checks.map(({ check }) => check()))).every((isUp) => isUp);
  const metric = await registry.getSingleMetricAsString("placard_tracking_limits_writable");
  return { tracking, metric: metric.includes("placard_tracking_limits_writable 1") };
}

it("is up without Redis where a spill has room for what has to be judged later, and says that Redis is away", async () => {
  expect(await functions(false, { isFull: false })).toEqual({ tracking: true, metric: false });
});

it("is down without Redis where the spill is full, or there is none", async () => {
  expect(await functions(false, { isFull: true })).toEqual({ tracking: false, metric: false });
  expect(await functions(false)).toEqual({ tracking: false, metric: false });
  expect(await functions(true)).toEqual({ tracking: true, metric: true });
});
