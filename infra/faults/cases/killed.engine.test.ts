import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installation, startInstallation } from "../installation.ts";
import type { Random } from "../random.ts";
import type { Service } from "../services.ts";
import { STEPS, type Step, stepTaken } from "../steps.ts";
import { injectFaultUnderLoad } from "../under-load.ts";

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());

describe("nothing promised is lost and nothing counts twice", () => {
  it("when serving is killed at random moments", async () => {
    await injectFaultUnderLoad(installation, {
      name: "serving killed (kill -9, 3 times at random)",
      tracking: "some",
      serving: "some",
      inflict: ({ serving }, random) => killOften(3, random, () => [random.pick(serving)]),
    });
  });

  it("when ingestion is killed at random moments", async () => {
    await injectFaultUnderLoad(installation, {
      name: "ingestion killed (kill -9, twice at random)",
      tracking: "all",
      serving: "all",
      inflict: ({ ingestion }, random) => killOften(2, random, () => [random.pick(ingestion)]),
    });
  });

  it("when every serving and ingestion process is killed at once", async () => {
    await injectFaultUnderLoad(installation, {
      name: "all serving and ingestion killed at once (twice at random)",
      tracking: "some",
      serving: "some",
      inflict: ({ serving, ingestion }, random) => killOften(2, random, () => [...serving, ...ingestion]),
    });
  });

  it("when serving is killed while it spills, and again while it replays what it has spilled", async () => {
    await injectFaultUnderLoad(installation, {
      name: "Kafka killed; serving killed as it spills and as it replays",
      tracking: "some",
      serving: "some",
      async inflict({ serving, engines: { kafka } }, random) {
        await kafka.program.kill();
        await wait(random.between(1_000, 2_000));
        await killAndStart(serving, 0);
        await wait(1_000);
        await kafka.program.start();
        await wait(random.between(0, 1_000));
        await killAndStart(serving, 0);
      },
    });
  });

  it.each(STEPS.map((steps) => ({ names: steps.map(({ name }) => name).join(", or "), steps })))(
    "when processes are killed as $names",
    async ({ names, steps }) => {
      const needed = steps.some((step) => step.of === "serving") ? "some" : "all";
      await injectFaultUnderLoad(installation, {
        name: `killed as ${names}`,
        tracking: needed,
        serving: needed,
        async inflict(_installation, random) {
          await Promise.all(steps.map((step) => killAt(step, random)));
        },
      });
    },
  );

  it("and would be reported if it were", async () => {
    const { oracle, stored } = installation;
    const before = oracle.compare(await stored.events());

    await stored.execute("INSERT INTO events SELECT * FROM events ORDER BY event_id LIMIT 1");
    await stored.execute("DELETE FROM events WHERE event_id IN (SELECT max(event_id) FROM events)");

    const after = oracle.compare(await stored.events());
    expect(after.doubled.length - before.doubled.length).toBe(1);
    expect(after.missing.length - before.missing.length).toBe(1);
    // One a table of counts.
    expect(await stored.wrongDays()).toHaveLength(3);
  });
});

/** Kills and restarts the given number of times, as a supervisor would. */
async function killOften(times: number, random: Random, choose: () => readonly Service[]): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await wait(random.between(0, 1_500));
    await killAndStart(choose(), random.between(0, 1_000));
  }
}

async function killAndStart(services: readonly Service[], pauseMs: number): Promise<void> {
  await Promise.all(services.map(({ program }) => program.kill()));
  await wait(pauseMs);
  await Promise.all(services.map(({ program }) => program.start()));
}

async function killAt(step: Step, random: Random): Promise<void> {
  const services = installation[step.of];
  await stepTaken(installation, step, random.between(1, 8), () => {
    for (const { program } of services) program.killNow();
  });
  await killAndStart(services, random.between(0, 500));
  expect(services.every(({ program }) => program.isRunning)).toBe(true);
}
