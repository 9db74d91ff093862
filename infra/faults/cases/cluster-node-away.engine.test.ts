import { readFile } from "node:fs/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aPassingEngine } from "../../native/private-engine.ts";
import { Program } from "../../native/program.ts";
import { type RedisClusterAddress, type RedisClusterNode, redisClusterRecipe } from "../../native/recipes.ts";
import { AWAY_S, injectAbsence } from "../absence.ts";
import { type Installation, startInstallation } from "../installation.ts";

let cluster: Awaited<ReturnType<typeof aPassingEngine<RedisClusterAddress>>>;
let installation: Installation;
const startedAgain: Program[] = [];

beforeAll(async () => {
  cluster = await aPassingEngine(redisClusterRecipe);
  installation = await startInstallation({ redisCluster: cluster });
});
afterAll(async () => {
  await installation?.close();
  await Promise.all(startedAgain.map((program) => program.cleanUp()));
  await cluster?.remove();
});

describe("tracking and serving answer everything, and duplicates are known for what they are", {
  timeout: 300_000,
}, () => {
  it("while a node of a Redis Cluster that judges is killed, and started again empty", async () => {
    const node = await aPrimary();

    const result = await injectAbsence(installation, {
      name: `a primary of a Redis Cluster killed, started again after ${AWAY_S} s`,
      begin: () => signal(node, "SIGKILL"),
      async end() {
        const program = new Program(node.again);
        startedAgain.push(program);
        await program.start();
      },
    });

    expect(result.recognized).toBe(result.twins);
    expect(await roleOf(node)).toBe("slave");
  });

  it("while a node of a Redis Cluster that judges is frozen", async () => {
    const node = await aPrimary();

    const result = await injectAbsence(installation, {
      name: `a primary of a Redis Cluster frozen for ${AWAY_S} s`,
      begin: () => signal(node, "SIGSTOP"),
      end: () => signal(node, "SIGCONT"),
    });

    expect(result.recognized).toBe(result.twins);
    expect(await roleOf(node)).toBe("slave");
  });
});

/** One that this run has not started again. */
async function aPrimary(): Promise<RedisClusterNode> {
  for (const node of cluster.address.nodes) if ((await roleOf(node)) === "master") return node;
  throw new Error("The cluster has no primary.");
}

async function roleOf({ port }: RedisClusterNode): Promise<unknown> {
  const redis = new Redis({ port });
  try {
    return (await redis.role())[0];
  } finally {
    redis.disconnect();
  }
}

async function signal({ pidFile }: RedisClusterNode, name: NodeJS.Signals): Promise<void> {
  process.kill(Number(await readFile(pidFile, "utf8")), name);
}
