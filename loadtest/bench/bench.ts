import type { Client } from "../clients/client.ts";
import type { TestEngines } from "../engines/test-engines.ts";
import type { Options } from "../measure/options.ts";
import type { Placard } from "../processes/placard.ts";

/** Passed to every scenario. */
export interface Bench {
  readonly options: Options;
  readonly client: Client;
  /** The folder of this run, gone with it. */
  readonly folder: string;
  /** Engines of this run, and their seeds. */
  readonly testEngines: TestEngines;
}

/** The whole product in one process, with the demo in it. */
export interface DemoBench extends Bench {
  readonly placard: Placard;
  /** The ads of the demo workspace. */
  readonly adIds: readonly string[];
}
