import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Installation, startInstallation } from "../installation.ts";
import { countDeadLetters, producePoison } from "../poison.ts";
import { type Service, setClock } from "../services.ts";
import { injectFaultUnderLoad } from "../under-load.ts";
import { injectFaultWhileIdle } from "../while-idle.ts";

const DAY_MS = 86_400_000;
/** Less than a second's events. */
const SMALL_SPILL = 128 * 1024;

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());

describe("nothing promised is lost and nothing counts twice", () => {
  const everything = { tracking: "all", serving: "all" } as const;

  it("while ingestion processes join and leave", async () => {
    await injectFaultUnderLoad(installation, {
      name: "an ingestion process leaves and joins, killed or stopped (5 times)",
      ...everything,
      async inflict({ ingestion }, random) {
        for (let time = 0; time < 5; time += 1) {
          const { program } = random.pick(ingestion);
          if (random.between(0, 1) === 0) await program.stop();
          else await program.kill();
          await wait(random.between(0, 1_000));
          await program.start();
          await wait(random.between(0, 1_000));
        }
      },
    });
  });

  it("when a worker is frozen in an insert, loses its partitions, and is woken", async () => {
    await injectFaultUnderLoad(installation, {
      name: "an ingestion process frozen mid-insert until others have its work",
      ...everything,
      async inflict({ ingestion: [frozen], clickHouseProxies: [proxy, others] }) {
        proxy.rules.add((moment) => (moment === "asked" ? "hold" : "pass"));
        await vi.waitUntil(() => proxy.held.length > 0, { timeout: 20_000 });
        await frozen.program.freeze();
        const [token = ""] = proxy.held;
        await vi.waitUntil(() => others.inserted.has(token), { timeout: 90_000 });
        // The insert that the frozen process had sent comes to ClickHouse after its repetition by the other one.
        proxy.calm();
        await wait(1_000);
        frozen.program.wake();
      },
    });
  });

  it("while the spill is full", async () => {
    const { serving } = installation;
    await restartWith(serving, { SPILL_MAX_BYTES: String(SMALL_SPILL) });
    const result = await injectFaultUnderLoad(installation, {
      name: "spill of 128 KiB full (Kafka stopped for 8 s)",
      tracking: "some",
      serving: "all",
      async inflict({ engines: { kafka } }) {
        await kafka.program.stop();
        await wait(8_000);
        await kafka.program.start();
      },
    });
    await restartWith(serving, { SPILL_MAX_BYTES: "" });

    expect(result.tracking).toBeLessThan(1);
  });

  it("with poison messages in the topic, which go to the dead letters", async () => {
    const before = await countDeadLetters(installation);
    await injectFaultUnderLoad(installation, {
      name: "poison messages in the topic",
      ...everything,
      inflict: (broken) => producePoison(broken),
    });

    expect(await countDeadLetters(installation)).toBeGreaterThan(before);
  });

  it("when clocks jump by a day and back", async () => {
    await injectFaultUnderLoad(installation, {
      name: "clocks of two processes jump a day ahead, and back",
      ...everything,
      async inflict({ learnSalts, serving: [serving], ingestion: [ingestion] }) {
        for (const jumping of [serving, ingestion]) {
          await setClock(jumping, DAY_MS);
          await wait(2_000);
          await learnSalts();
          await setClock(jumping, 0);
          await wait(1_000);
        }
      },
    });
  });

  it("with a lonely event in a partition, silence, and a kill in the silence", async () => {
    const result = await injectFaultWhileIdle(installation, {
      name: "single events, then 6 s of silence in which ingestion is killed",
      async inflict({ ingestion }) {
        await wait(3_000);
        await Promise.all(ingestion.map(({ program }) => program.kill()));
        await wait(3_000);
        await Promise.all(ingestion.map(({ program }) => program.start()));
      },
    });

    expect(result.tracking).toBe(1);
  });
});

async function restartWith(services: readonly Service[], environment: Readonly<Record<string, string>>) {
  for (const { program } of services) {
    await program.stop();
    program.setEnvironment(environment);
    await program.start();
  }
}
