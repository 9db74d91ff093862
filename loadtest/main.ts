import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startClient } from "./clients/client.ts";
import { type Options, readOptions, USAGE } from "./measure/options.ts";
import { stopAllChildren } from "./processes/child.ts";
import { releasing } from "./processes/releases.ts";
import type { ScenarioResult } from "./report/result.ts";
import { describeMachine, filesOf, writeResults } from "./report/results.ts";
import { say, show } from "./report/show.ts";
import { type Keep, runScenarios } from "./scenarios/run-scenarios.ts";
import { soak } from "./scenarios/soak.ts";
import { loadTarget } from "./scenarios/target.ts";

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

/** On Ctrl-C and similar signals, stops everything and removes its files. A second signal does not wait. */
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
  say(`\nResults: ${json}; page with charts: ${html}`);
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
