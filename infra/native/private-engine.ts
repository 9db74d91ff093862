import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "./program.ts";
import type { EngineRecipe } from "./recipes.ts";

/** An engine that only one test uses, so that it may be killed, and where it is reached. */
export interface PrivateEngine<Address> {
  readonly program: Program;
  readonly address: Address;
}

/** Makes one that is not started yet. */
export async function aPrivateEngine<Address>(
  recipe: Promise<EngineRecipe<Address>>,
): Promise<PrivateEngine<Address>> {
  const { address, ...options } = await recipe;
  return { program: new Program(options), address };
}

/** As `aPrivateEngine`, in a folder of its own that `remove` takes away, once it has killed the engine. */
export async function aPassingEngine<Address>(
  recipeIn: (folder: string) => Promise<EngineRecipe<Address>>,
): Promise<PrivateEngine<Address> & { remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "placard-engine-"));
  const engine = await aPrivateEngine(recipeIn(folder));
  return {
    ...engine,
    async remove() {
      await engine.program.cleanUp();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
