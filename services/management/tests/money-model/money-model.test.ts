import { afterAll, describe, it, vi } from "vitest";
import { processEnvironment } from "#libs/config/environment.ts";
import { COURSES, takeCourse } from "./courses.ts";
import { startRig } from "./rig.ts";
import { walk } from "./walk.ts";

vi.setConfig({ testTimeout: 3_600_000 });

const environment = processEnvironment();
const { MONEY_MODEL_SEEDS = "1,3", MONEY_MODEL_STEPS } = environment;
const seeds = MONEY_MODEL_SEEDS.split(",").flatMap((range) => {
  const [from = 1, to = from] = range.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_one, n) => from + n);
});
/** The steps that are asked for, however long they take; otherwise 100, or those that begin within the time. */
const steps = Number(MONEY_MODEL_STEPS ?? 100);
const seconds = MONEY_MODEL_STEPS === undefined ? Number(environment.MODEL_SECONDS ?? 10) : Infinity;

vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 1000) * 1000 });
afterAll(() => void vi.useRealTimers());

describe.each(seeds)("seed %i", async (seed) => {
  // Each has a machine and a calendar of its own, so that its history is the same whichever others run.
  const rig = await startRig(seed % 3 === 0 ? 5 : null, Date.UTC(2030, 0, 1 + seed * 17) / 1000);

  it(`agrees with the rule of paid time over ${steps} steps or ${seconds} seconds`, async () => {
    const started = performance.now();
    const walked = await walk(rig, seed, steps, seconds * 1000);
    console.log(
      `seed ${seed}: ${walked} steps, ${Math.round((performance.now() - started) / walked)} ms each`,
    );
  });
});

describe("where rules meet", async () => {
  const rig = await startRig(null, Date.UTC(2031, 0, 1) / 1000);

  it.each(COURSES)("agrees with the rule of paid time: $name", async (course) => {
    await takeCourse(rig, course);
  });
});
