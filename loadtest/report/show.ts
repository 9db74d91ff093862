import type { ScenarioResult } from "./result.ts";
import { tableOf } from "./table.ts";

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a scenario's table and headline as soon as it has ended. */
export function show(result: ScenarioResult): ScenarioResult {
  const { scenario, rows, headline, complaints } = result;
  if (rows.length > 0) say(`\n${tableOf(rows)}\n`);
  say(JSON.stringify({ scenario, ...headline, complaints }));
  return result;
}
