import type { Chart } from "./charts.ts";
import type { Client } from "./client.ts";
import type { Estate } from "./estate.ts";
import type { Options } from "./options.ts";
import type { Placard } from "./placard.ts";

/** What every scenario gets. */
export interface Bench {
  readonly options: Options;
  readonly client: Client;
  /** Of this run, gone with it. */
  readonly folder: string;
  /** Engines of their own, with what is seeded into them. */
  readonly estate: Estate;
}

/** The whole product in one process, with the demo in it. */
export interface DemoBench extends Bench {
  readonly placard: Placard;
  /** The ads of the demo workspace. */
  readonly adIds: readonly string[];
}

/** A line of a table, by column. */
export type Row = Readonly<Record<string, string | number>>;

export interface ScenarioResult {
  readonly scenario: string;
  readonly rows: readonly Row[];
  /** What goes into the last line of the output, by name. */
  readonly headline: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly charts?: readonly Chart[];
  /** Everything measured. */
  readonly details: unknown;
  /** What was wrong, in sentences; empty when all requests were answered and all counts agree. */
  readonly complaints: readonly string[];
}
