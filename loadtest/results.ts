import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import { LAYOUT } from "./cores.ts";
import type { Options } from "./options.ts";
import { pageOf } from "./report/page.ts";
import type { ScenarioResult } from "./scenario.ts";

const FOLDER = fileURLToPath(new URL("results/", import.meta.url));

/** What the figures were measured on. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly layout: string;
}

/** Everything about one run. */
export interface Run {
  readonly date: Date;
  /** As it was typed. */
  readonly command: string;
  readonly machine: Machine;
  readonly options: Options;
  readonly results: readonly ScenarioResult[];
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    layout: LAYOUT,
  };
}

/** Where a run that began then keeps everything measured, and a page to look at. */
export function filesOf(date: Date): { json: string; html: string } {
  const name = `${FOLDER}${date.toISOString().replaceAll(":", "-")}`;
  return { json: `${name}.json`, html: `${name}.html` };
}

/** Keeps a run, in place of what was kept of it before. */
export async function writeResults(run: Run): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const { json, html } = filesOf(run.date);
  await writeFile(json, `${JSON.stringify(run, null, 2)}\n`);
  await writeFile(html, pageOf(run));
}
