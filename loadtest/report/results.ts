import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import { LAYOUT } from "../processes/cores.ts";
import { type Machine, pageOf, type Run } from "./page.ts";

const FOLDER = fileURLToPath(new URL("../results/", import.meta.url));

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

/** The files of a run that began at `date`: everything measured, and its page. */
export function filesOf(date: Date): { json: string; html: string } {
  const name = `${FOLDER}${date.toISOString().replaceAll(":", "-")}`;
  return { json: `${name}.json`, html: `${name}.html` };
}

/** Writes a run, replacing its earlier files. */
export async function writeResults(run: Run): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const { json, html } = filesOf(run.date);
  await writeFile(json, `${JSON.stringify(run, null, 2)}\n`);
  await writeFile(html, pageOf(run));
}
