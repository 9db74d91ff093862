import { afterAll, describe, it, vi } from "vitest";
import { processEnvironment } from "#libs/config/environment.ts";
import { COURSES, takeCourse } from "./courses.ts";
import { startRig } from "./rig.ts";
import { walk } from "./walk.ts";

vi.setConfig({ testTimeout: 3_600_000 });

const { MONEY_MODEL_SEEDS = "1,3", MONEY_MODEL_STEPS = "100" } = processEnvironment();
const seeds = MONEY_MODEL_SEEDS.split(",").flatMap((range) => {
  const [from = 1, to = from] = range.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_one, n) => from + n);
});
const steps = Number(MONEY_MODEL_STEPS);

vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 1000) * 1000 });
afterAll(() => void vi.useRealTimers());

describe.each(seeds)("seed %i", async (seed) => {
  // Each has a machine and a calendar of its own, so that its history is the same whichever others run.
  const rig = await startRig(seed % 3 === 0 ? 5 : null, Date.UTC(2030, 0, 1 + seed * 17) / 1000);

  it(`agrees with the rule of paid time over ${steps} steps`, async () => {
    const started = performance.now();
    await walk(rig, seed, steps);
    console.log(`seed ${seed}: ${Math.round((performance.now() - started) / steps)} ms per step`);
  });
});

describe("where rules meet", async () => {
  const rig = await startRig(null, Date.UTC(2031, 0, 1) / 1000);

  it.each(COURSES)("agrees with the rule of paid time: $name", async (course) => {
    await takeCourse(rig, course);
  });
});
