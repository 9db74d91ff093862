import { fileURLToPath } from "node:url";
import type { EngineRecipe } from "../infra/native/recipes.ts";
import { Child } from "./child.ts";
import { type TreeUsage, usageOfTree } from "./tree-usage.ts";
import { until } from "./until.ts";

const KEEPER = fileURLToPath(new URL("engine-keeper.ts", import.meta.url));
const UP_WITHIN_MS = 60_000;

/** A database, broker or store that runs for the load test alone. */
export interface Engine {
  /** Undefined where the system does not tell. */
  usage(): TreeUsage | undefined;
  stop(): Promise<void>;
}

/** Starts an engine on its core, watched over by its keeper, and waits until it answers. Rejects with what it said last. */
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
