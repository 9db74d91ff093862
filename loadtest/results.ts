import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { LAYOUT } from "./cores.ts";
import type { Options } from "./options.ts";
import type { ScenarioResult } from "./scenario.ts";

const FOLDER = fileURLToPath(new URL("results/", import.meta.url));

/** What the figures were measured on. */
export function describeMachine() {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    layout: LAYOUT,
  };
}

/** Keeps a run with everything measured; returns the file. */
export async function writeResults(
  date: Date,
  options: Options,
  results: readonly ScenarioResult[],
): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const file = `${FOLDER}${date.toISOString().replaceAll(":", "-")}.json`;
  const run = { date, machine: describeMachine(), options, results };
  await writeFile(file, `${JSON.stringify(run, null, 2)}\n`);
  return file;
}
