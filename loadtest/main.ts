import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startClient } from "./client.ts";
import { haveAds } from "./demo.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { describeMachine, writeResults } from "./results.ts";
import type { Bench, ScenarioResult } from "./scenario.ts";
import { delay } from "./scenarios/delay.ts";
import { serving } from "./scenarios/serving.ts";
import { start, timedStart } from "./scenarios/start.ts";
import { tracking } from "./scenarios/tracking.ts";
import { tableOf } from "./table.ts";

const LOADS = { serving, tracking, delay };
/** As many ads as the largest serving load asks for. */
const ADS = 8;

/** Runs the scenarios one after the other on one installation, each next to its baseline. */
async function run(options: Options): Promise<ScenarioResult[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "placard-loadtest-"));
  const client = startClient();
  const results: ScenarioResult[] = [];
  try {
    const first = await timedStart({ dataDir, seed: "demo", profileDir: options.profileDir });
    try {
      const adIds = await haveAds(first.placard, ADS);
      const bench: Bench = { options, client, placard: first.placard, adIds };
      for (const name of options.scenarios) {
        if (name !== "start") results.push(show(await LOADS[name](bench)));
      }
    } finally {
      await first.placard.stop();
    }
    if (options.scenarios.includes("start")) results.push(show(await start(dataDir, first.seconds)));
    return results;
  } finally {
    await client.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function show(result: ScenarioResult): ScenarioResult {
  const { scenario, rows, headline, complaints } = result;
  say(`\n${tableOf(rows)}\n`);
  say(JSON.stringify({ scenario, ...headline, complaints }));
  return result;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return say(USAGE);
  const options = readOptions(args);
  say(JSON.stringify(describeMachine()));
  const results = await run(options);
  const file = await writeResults(new Date(), options, results);
  const complaints = results.flatMap((result) => result.complaints);
  say(`\nEverything measured is in ${file}`);
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
