import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Backoff, backoffMs, keepRunning, pause, retry } from "./retry.ts";

const LIMITS = { firstMs: 1, longestMs: 4 };
const FAILURE = new Error("no answer");

describe("the pauses", () => {
  it("double up to the longest, and start over after a reset", () => {
    const backoff = new Backoff({ firstMs: 50, longestMs: 300 });
    const growing = [backoff.next(), backoff.next(), backoff.next(), backoff.next()];

    backoff.reset();

    expect([...growing, backoff.next()]).toEqual([50, 100, 200, 300, 50]);
  });

  it("stay at the longest however many failures there are", () => {
    expect(backoffMs(5_000, { firstMs: 50, longestMs: 300 })).toBe(300);
  });

  it("are shortened by half at most with jitter", () => {
    const pauses = Array.from({ length: 100 }, () =>
      backoffMs(1, { firstMs: 100, longestMs: 100, jitter: true }),
    );

    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(100);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  });

  it("end when the signal aborts", async () => {
    const begun = performance.now();

    await pause(60_000, AbortSignal.timeout(5));

    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

describe("retry", () => {
  it("attempts until one succeeds, and reports each failure", async () => {
    const onFailure = vi.fn();
    const attempt = vi
      .fn()
      .mockRejectedValueOnce(FAILURE)
      .mockRejectedValueOnce(FAILURE)
      .mockResolvedValue(7);

    const result = await retry(attempt, { ...LIMITS, onFailure });

    expect(result).toBe(7);
    expect(onFailure.mock.calls).toEqual([[FAILURE], [FAILURE]]);
  });

  it("rejects at once with a failure that another attempt would meet again", async () => {
    const attempt = vi.fn().mockRejectedValue(FAILURE);

    await expect(retry(attempt, { ...LIMITS, canRetry: () => false })).rejects.toBe(FAILURE);

    expect(attempt).toHaveBeenCalledOnce();
  });

  it("rejects with the last failure when the signal aborts in a pause", async () => {
    const ending = new AbortController();
    const attempt = vi.fn().mockRejectedValue(FAILURE);
    const options = { firstMs: 60_000, longestMs: 60_000, signal: ending.signal };

    const retrying = retry(attempt, { ...options, onFailure: () => ending.abort() });

    await expect(retrying).rejects.toBe(FAILURE);
    expect(attempt).toHaveBeenCalledOnce();
  });
});

describe("keepRunning", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => void vi.useRealTimers());

  it("runs the work again after it ends and after it rejects, until the signal aborts", async () => {
    const ending = new AbortController();
    const onFailure = vi.fn();
    const work = vi
      .fn<() => Promise<void>>()
      .mockResolvedValueOnce()
      .mockRejectedValueOnce(FAILURE)
      .mockImplementationOnce(async () => ending.abort());

    await keepRunning(work, { ...LIMITS, signal: ending.signal, onFailure });

    expect(work).toHaveBeenCalledTimes(3);
    expect(onFailure.mock.calls).toEqual([[FAILURE]]);
  });

  it("starts over with the shortest pause after a long run", async () => {
    const ending = new AbortController();
    const limits = { firstMs: 1, longestMs: 60_000 };
    let runs = 0;

    await keepRunning(
      async () => {
        runs += 1;
        if (runs === 20) ending.abort();
        vi.setSystemTime(Date.now() + 60_001);
        vi.advanceTimersByTime(60_001);
      },
      { ...limits, signal: ending.signal, onFailure: () => undefined },
    );

    expect(runs).toBe(20);
  });
});
