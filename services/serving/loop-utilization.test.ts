import { expect, it, vi } from "vitest";
import { createLoopUtilization } from "./loop-utilization.ts";

it("takes a loop for busy until it knows, then tells what it was of late", () => {
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

it("does not judge by a moment", () => {
  const spent = { active: 0, idle: 0 };
  const utilization = createLoopUtilization(() => ({ ...spent }));
  spent.idle += 200;
  expect(utilization()).toBe(0);

  spent.active += 60;
  expect(utilization()).toBe(0);

  spent.active += 60;
  expect(utilization()).toBe(1);
});

it("knows that a loop waits which has nothing to do", async () => {
  const utilization = createLoopUtilization();

  await vi.waitFor(() => expect(utilization()).toBeLessThan(1), 20_000);
});
