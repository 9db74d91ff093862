import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Installation, startInstallation } from "../installation.ts";
import { sumOfMetric } from "../services.ts";
import { stepTaken } from "../steps.ts";
import { injectFaultUnderLoad } from "../under-load.ts";
import { until } from "../until.ts";

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());

describe("nothing promised is lost, nothing counts twice, and the others go on", () => {
  const everything = { tracking: "all", serving: "all" } as const;

  it("while Kafka is killed and started again", async () => {
    await injectFaultUnderLoad(installation, {
      name: "Kafka killed (kill -9), started again after 2 s",
      ...everything,
      async inflict({ engines: { kafka } }, random) {
        await wait(random.between(0, 1_000));
        await kafka.program.kill();
        await wait(2_000);
        await kafka.program.start();
      },
    });
  });

  it("while Kafka is frozen, and when it takes batches behind their own repetitions", async () => {
    const repeated = () => sumOfMetric(installation.ingestion, "placard_ingestion_repeated_events_total");
    const before = await repeated();
    await injectFaultUnderLoad(installation, {
      name: "Kafka frozen for 5 s; 4 late appends land after their repeats",
      ...everything,
      async inflict({ engines: { kafka }, kafkaProxy, serving }) {
        kafkaProxy.rules.add(({ request, direction }) =>
          request === "produce" && direction === "request" && kafkaProxy.held < 4 ? "hold" : "pass",
        );
        await vi.waitUntil(() => kafkaProxy.held === 4, { timeout: 10_000 });
        kafkaProxy.rules.clear();
        await kafka.program.freeze();
        await wait(5_000);
        kafka.program.wake();
        // By then everything has been sent again.
        await until(60_000, "did not empty its spill", async () => {
          return (await sumOfMetric(serving, "placard_spill_bytes")) === 0;
        });
        kafkaProxy.release();
      },
    });

    expect(await repeated()).toBeGreaterThan(before);
  });

  it("while Kafka stores batches and the connection is cut before it says so", async () => {
    await injectFaultUnderLoad(installation, {
      name: "connection to Kafka cut between append and answer (5 times)",
      ...everything,
      async inflict(broken, random) {
        for (let time = 0; time < 5; time += 1) {
          const step = { name: "", of: "serving", on: "produce", isDone: true } as const;
          await stepTaken(broken, step, random.between(1, 20), () => undefined);
        }
      },
    });
  });

  it("while ClickHouse is killed in the middle of an insert", async () => {
    await injectFaultUnderLoad(installation, {
      name: "ClickHouse killed mid-insert (twice), started again after 2 s",
      ...everything,
      async inflict(broken, random) {
        const { program } = broken.engines.clickHouse;
        for (let time = 0; time < 2; time += 1) {
          await insertBegun(broken);
          await wait(random.between(0, 30));
          await program.kill();
          await wait(2_000);
          await program.start();
        }
      },
    });
  });

  it("while the connection to ClickHouse is cut after the insert and before the answer", async () => {
    await injectFaultUnderLoad(installation, {
      name: "connection to ClickHouse cut between insert and answer (5 times)",
      ...everything,
      async inflict(broken) {
        for (let time = 0; time < 5; time += 1) {
          await stepTaken(
            broken,
            { name: "", of: "ingestion", on: "insert", isDone: true },
            1,
            () => undefined,
          );
        }
      },
    });
  });

  it("when Redis loses everything it has", async () => {
    await injectFaultUnderLoad(installation, {
      name: "Redis emptied",
      ...everything,
      async inflict(broken) {
        await broken.learnSalts();
        await broken.redis.flushall();
      },
    });
  });
});

/** Resolves when the next insert goes to ClickHouse. */
async function insertBegun({ clickHouseProxies }: Installation): Promise<void> {
  const begun = Promise.withResolvers<void>();
  for (const proxy of clickHouseProxies) {
    proxy.rules.add(() => {
      begun.resolve();
      return "pass";
    });
  }
  await begun.promise;
  for (const proxy of clickHouseProxies) proxy.calm();
}
