import { fileURLToPath } from "node:url";
import type { EngineRecipe } from "../../infra/native/recipes.ts";
import { type TreeUsage, usageOfTree } from "../measure/tree-usage.ts";
import { Child } from "../processes/child.ts";
import { until } from "../processes/until.ts";

const KEEPER = fileURLToPath(new URL("engine-keeper.ts", import.meta.url));
const UP_WITHIN_MS = 60_000;

/** A database, broker or store that runs for the load test alone. */
export interface Engine {
  /** Undefined where the system does not tell. */
  usage(): TreeUsage | undefined;
  stop(): Promise<void>;
}

/** Starts an engine on its core, supervised by its keeper, and waits until it answers. Rejects with its last output. */
export async function startEngine(recipe: EngineRecipe<unknown>): Promise<Engine> {
  const { name, command, environment, stopSignal = "SIGTERM", isUp } = recipe;
  const child = new Child({ role: "engine", args: [KEEPER, stopSignal, ...command], env: environment });
  try {
    await until(
      async () => {
        child.assertRuns();
        return (await isUp().catch(() => false)) || undefined;
      },
      `${name} has not started.`,
      UP_WITHIN_MS,
    );
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { usage: () => usageOfTree(child.pid), stop: () => child.stop() };
}
