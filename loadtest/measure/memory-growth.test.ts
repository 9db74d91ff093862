import { expect, it } from "vitest";
import { judgeMemory } from "./memory-growth.ts";

const MB = 1e6;
const samplesOf = (megabytes: readonly number[]) =>
  megabytes.map((value, nth) => ({ seconds: nth * 10, residentBytes: value * MB }));

it("takes a beginning that fills caches for no growth", () => {
  const growth = judgeMemory(samplesOf([100, 180, 200, 203, 199, 202, 198, 203, 201]));

  expect(growth?.hasGrown).toBe(false);
  expect(growth?.medianBytes).toBe(201.5 * MB);
});

it("finds a leak, and how fast it is", () => {
  const growth = judgeMemory(samplesOf([100, 110, 120, 130, 140, 150, 160, 170, 180]));

  expect(growth?.hasGrown).toBe(true);
  expect(growth?.bytesPerHour).toBeCloseTo(3_600 * MB, 0);
});

it("does not take a process that gives memory back for a leak", () => {
  expect(judgeMemory(samplesOf([300, 280, 260, 240, 220, 200]))?.hasGrown).toBe(false);
});

it("gives no judgement for too few samples", () => {
  expect(judgeMemory(samplesOf([1, 2, 3]))).toBeUndefined();
});
