import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ControlledLog } from "./tests/controlled-log.ts";
import { aBatch } from "./tests/event-log-suite.ts";
import { type WatchedLog, watchLog } from "./watched-log.ts";

let log: ControlledLog;
let watched: WatchedLog;
beforeEach(() => {
  vi.useFakeTimers();
  log = new ControlledLog();
  watched = watchLog(log, { idleMs: 5_000, slowMs: 5_000 });
});
afterEach(async () => {
  await watched.close();
  vi.useRealTimers();
});

it("is writable as long as appends succeed, and not when one has failed", async () => {
  await watched.append(aBatch("a"));
  const before = watched.isWritable;

  log.fate = "away";
  await expect(watched.append(aBatch("b"))).rejects.toThrow();
  const meanwhile = watched.isWritable;
  log.fate = "taken";
  await watched.append(aBatch("c"));

  expect([before, meanwhile, watched.isWritable]).toEqual([true, false, true]);
});

it("is probed while nobody appends, and found again when it is back", async () => {
  log.fate = "away";
  await vi.advanceTimersByTimeAsync(5_000);
  const away = watched.isWritable;

  log.fate = "taken";
  await vi.advanceTimersByTimeAsync(5_000);

  expect([away, watched.isWritable]).toEqual([false, true]);
  expect(log.taken).toEqual([]);
});

it("is not writable while an append or a probe does not end", async () => {
  log.fate = "held";

  await vi.advanceTimersByTimeAsync(11_000);

  expect(watched.isWritable).toBe(false);
});

it("stays writable when it refuses a batch for the batch's own sake", async () => {
  log.refuses = () => true;

  await expect(watched.append(aBatch("too large"))).rejects.toThrow();

  expect(watched.isWritable).toBe(true);
});
