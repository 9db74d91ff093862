import type { Chart } from "./charts.ts";

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
