import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Program } from "../../native/program.ts";
import { type Installation, startInstallation } from "../installation.ts";
import { injectFaultUnderLoad } from "../under-load.ts";

const AWAY_MS = 30_000;
/** Of impressions, while the engine is away. */
const TWINS = 0.05;
/** What was on its way when the engine went may have been judged by it, and a Redis that is started again has forgotten that. */
const EDGE_MS = 2_000;

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
}, 120_000);
afterAll(() => installation?.close());

const FAULTS = [
  { engine: "redis", name: "Redis", how: "stopped" },
  { engine: "redis", name: "Redis", how: "frozen" },
  { engine: "clickHouse", name: "ClickHouse", how: "stopped" },
] as const;

describe("tracking and serving answer everything, and duplicates are known for what they are", () => {
  it.each(FAULTS)(
    "while $name is $how for 30 seconds",
    { timeout: 300_000 },
    async ({ engine, name, how }) => {
      const result = await injectFaultUnderLoad(installation, {
        name: `${name} ${how} for 30 s; some events sent to two processes`,
        tracking: "all",
        serving: "all",
        async inflict({ engines }, _random, load) {
          await withoutEngine(engines[engine].program, how, async () => {
            await wait(EDGE_MS);
            load.sendTwins(TWINS);
            await wait(AWAY_MS - EDGE_MS);
          });
        },
      });

      expect(result.twins).toBeGreaterThan(0);
      expect(result.recognized).toBe(result.twins);
    },
  );
});

async function withoutEngine(
  program: Program,
  how: "stopped" | "frozen",
  meanwhile: () => Promise<void>,
): Promise<void> {
  if (how === "stopped") await program.stop();
  else program.freeze();
  await meanwhile();
  if (how === "stopped") await program.start();
  else program.wake();
}
