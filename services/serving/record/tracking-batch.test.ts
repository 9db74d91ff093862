import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { createLoopUtilization, TrackingBatch, type TrackingBatchOptions } from "./tracking-batch.ts";

/** A store that the test lets through batch by batch. */
function aHeldStore(options: Partial<TrackingBatchOptions<number, string>> = {}) {
  const sent: { readonly batch: readonly number[]; readonly finish: (error?: Error) => void }[] = [];
  const answers = new Map<number, string>();
  const batch = new TrackingBatch<number, string>({
    store: (entries) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      const finish = (error?: Error) =>
        error === undefined ? resolve(entries.map((entry) => `stored ${entry}`)) : reject(error);
      sent.push({ batch: [...entries], finish });
      return promise;
    },
    answer: (entry, outcome) => answers.set(entry, outcome),
    lingerMs: 60_000,
    ...options,
  });
  return { batch, sent, answers, sizes: () => sent.map((one) => one.batch.length) };
}

function addMany(batch: TrackingBatch<number, string>, from: number, to: number): boolean[] {
  return Array.from({ length: to - from }, (_, index) => batch.add(from + index));
}

describe("tracking batch", () => {
  it("sends what arrives in one round of the event loop together, at once", async () => {
    const { batch, sizes } = aHeldStore();

    addMany(batch, 0, 7);
    await nextRound();

    expect(sizes()).toEqual([7]);
  });

  it("gathers on when a batch comes back, so that the next one is worth its trip", async () => {
    const { batch, sent, sizes, answers } = aHeldStore({ lingerMs: 50 });
    addMany(batch, 0, 1);
    await nextRound();
    addMany(batch, 1, 10);
    await nextRound();
    expect(sizes()).toEqual([1]);

    sent[0]?.finish();
    await nextRound();
    expect(answers).toEqual(new Map([[0, "stored 0"]]));
    expect(sizes()).toEqual([1]);
    addMany(batch, 10, 12);

    await vi.waitFor(() => expect(sizes()).toEqual([1, 11]), 20_000);
  });

  it("does not wait for a slow batch longer than it lingers", async () => {
    const { batch, sizes } = aHeldStore({ lingerMs: 1 });
    addMany(batch, 0, 1);
    await nextRound();

    addMany(batch, 1, 3);

    await vi.waitFor(() => expect(sizes()).toEqual([1, 2]), 20_000);
  });

  it("gathers for less the more time there is to spare", async () => {
    const { batch, sizes } = aHeldStore({ lingerMs: 60_000, utilization: () => 0 });
    addMany(batch, 0, 1);
    await nextRound();

    addMany(batch, 1, 3);

    await vi.waitFor(() => expect(sizes()).toEqual([1, 2]), 20_000);
  });

  it("sends a full batch without waiting", async () => {
    const { batch, sizes } = aHeldStore({ maxEntries: 5 });
    addMany(batch, 0, 1);
    await nextRound();

    addMany(batch, 1, 6);

    expect(sizes()).toEqual([1, 5]);
  });

  it("never has more batches under way, nor more entries waiting, than it may", async () => {
    const { batch, sent, sizes } = aHeldStore({ maxEntries: 2, maxInProgress: 2, maxWaiting: 5 });

    addMany(batch, 0, 4);
    await nextRound();
    const taken = addMany(batch, 4, 10);

    expect(sizes()).toEqual([2, 2]);
    expect(taken).toEqual([true, true, true, true, true, false]);
    sent[0]?.finish();
    await vi.waitFor(() => expect(sizes()).toEqual([2, 2, 2]), 20_000);
    expect(batch.add(11)).toBe(true);
  });

  it("answers every entry of a failed batch with the failure, and continues", async () => {
    const { batch, sent, answers } = aHeldStore();
    addMany(batch, 0, 2);
    await nextRound();
    sent[0]?.finish(new Error("the log is away"));
    await vi.waitFor(() => expect(answers.size).toBe(2), 20_000);

    addMany(batch, 2, 3);
    await nextRound();
    sent[1]?.finish();

    await vi.waitFor(() => expect(answers.size).toBe(3), 20_000);
    expect([...answers.values()]).toEqual(["failed", "failed", "stored 2"]);
  });

  it("answers what it has taken before it closes, and takes nothing more", async () => {
    const { batch, sent, answers } = aHeldStore({ maxEntries: 2, maxInProgress: 1 });
    addMany(batch, 0, 5);

    const closed = batch.close();
    const taken = batch.add(5);
    for (const round of [1, 2, 3]) {
      await vi.waitFor(() => expect(sent).toHaveLength(round), 20_000);
      sent[round - 1]?.finish();
    }
    await closed;

    expect(taken).toBe(false);
    expect(answers.size).toBe(5);
  });
});

describe("event loop utilization", () => {
  it("is 1 until it is known, then the recent utilization", () => {
    const spent = { active: 1_000, idle: 9_000 };
    const utilization = createLoopUtilization(() => ({ ...spent }));
    expect(utilization()).toBe(1);

    spent.active += 50;
    spent.idle += 150;
    expect(utilization()).toBe(0.25);

    spent.active += 180;
    spent.idle += 20;
    expect(utilization()).toBe(0.9);
  });

  it("ignores intervals under 100 ms", () => {
    const spent = { active: 0, idle: 0 };
    const utilization = createLoopUtilization(() => ({ ...spent }));
    spent.idle += 200;
    expect(utilization()).toBe(0);

    spent.active += 60;
    expect(utilization()).toBe(0);

    spent.active += 60;
    expect(utilization()).toBe(1);
  });

  it("is below 1 on an idle loop", async () => {
    const utilization = createLoopUtilization();

    await vi.waitFor(() => expect(utilization()).toBeLessThan(1), 20_000);
  });
});
