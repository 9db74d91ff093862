import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopAllChildren } from "./child.ts";
import { startClient } from "./client.ts";
import { loadTarget } from "./load-target.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { releasing } from "./releases.ts";
import { describeMachine, filesOf, writeResults } from "./results.ts";
import { type Keep, runScenarios } from "./run-scenarios.ts";
import type { ScenarioResult } from "./scenario.ts";
import { say, show } from "./show.ts";
import { soak } from "./soak.ts";

async function run(options: Options, keep: Keep): Promise<void> {
  await releasing(async (later) => {
    const folder = await mkdtemp(join(tmpdir(), "placard-loadtest-"));
    const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
    later(remove);
    endOnSignals(remove);
    const client = startClient();
    later(() => client.stop());
    const { target, soakMinutes } = options;
    if (target !== undefined) await keep(show(await loadTarget(options, target, client)));
    else if (soakMinutes !== undefined) await keep(show(await soak(options, soakMinutes, client, folder)));
    else await runScenarios(options, client, folder, keep);
  });
}

/** Ctrl-C and the like: whatever runs by then is stopped, and what it has written removed. A second one does not wait. */
function endOnSignals(remove: () => Promise<void>): void {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => {
      process.stderr.write("\nStopping everything that was started.\n");
      void stopAllChildren()
        .then(remove)
        .finally(() => process.exit(130));
    });
  }
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return say(USAGE);
  const options = readOptions(args);
  const machine = describeMachine();
  say(JSON.stringify(machine));
  const results: ScenarioResult[] = [];
  const command = ["npm run loadtest --", ...args].join(" ");
  const date = new Date();
  // After each of them: a run that is stopped half-way has measured something too.
  await run(options, async (result) => {
    results.push(result);
    await writeResults({ date, command, machine, options, results });
  });
  const complaints = results.flatMap((result) => result.complaints);
  const { json, html } = filesOf(date);
  say(`\nEverything measured is in ${json}; to look at: ${html}`);
  for (const complaint of complaints) say(`Failed: ${complaint}`);
  say(JSON.stringify(Object.assign({}, ...results.map(({ headline }) => headline))));
  if (complaints.length > 0) process.exitCode = 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 1;
}
