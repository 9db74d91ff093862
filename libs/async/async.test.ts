import { describe, expect, it, vi } from "vitest";
import { createThrottledWarning, SingleFlight, within } from "./index.ts";

describe("within", () => {
  it("gives the result that comes in time", async () => {
    expect(await within(1_000, "the answer", Promise.resolve(42))).toBe(42);
  });

  it("throws when nothing comes in time, and when the signal aborts", async () => {
    const never = new Promise<never>(() => undefined);

    await expect(within(5, "the answer", never)).rejects.toThrow("the answer took over 5 ms");
    await expect(within(60_000, "the answer", never, AbortSignal.timeout(5))).rejects.toThrow("called off");
  });
});

describe("a single flight", () => {
  it("shares one call per key, and calls again once that has ended", async () => {
    const flight = new SingleFlight<string>();
    const work = vi.fn(async () => "result");

    const shared = await Promise.all([flight.run("a", work), flight.run("a", work), flight.run("b", work)]);
    await flight.run("a", work);

    expect(shared).toEqual(["result", "result", "result"]);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it("refuses a key beyond its limit, and takes it when another has ended", async () => {
    const flight = new SingleFlight<void>({ maxKeys: 1, refusal: () => new Error("busy") });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = flight.run("a", () => promise);

    await expect(flight.run("b", async () => undefined)).rejects.toThrow("busy");
    resolve();
    await first;

    await expect(flight.run("b", async () => undefined)).resolves.toBeUndefined();
  });
});

it("passes on one warning per topic in ten seconds", () => {
  vi.useFakeTimers();
  const warn = vi.fn();
  const throttled = createThrottledWarning(warn);

  throttled("Kafka is away.");
  throttled("Kafka is away.");
  throttled("The disk is full: 1 byte.", undefined, "disk");
  throttled("The disk is full: 2 bytes.", undefined, "disk");
  vi.advanceTimersByTime(10_001);
  throttled("Kafka is away.");
  vi.useRealTimers();

  expect(warn.mock.calls).toEqual([["Kafka is away."], ["The disk is full: 1 byte."], ["Kafka is away."]]);
});
