import { parseArgs } from "node:util";

export const SCENARIOS = ["serving", "tracking", "delay", "start"] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/** What the command line asks for. */
export interface Options {
  readonly scenarios: readonly ScenarioName[];
  /** Length of each load, in seconds. */
  readonly duration: number;
  /** Rounds of baseline and subject in turn. */
  readonly rounds: number;
  /** Instead of the scenarios' own numbers. */
  readonly connections: number | undefined;
  /** Folder for CPU profiles of the servers; undefined takes none. */
  readonly profileDir: string | undefined;
}

export const USAGE = `npm run loadtest -- [options]
  --scenario NAME[,NAME]  ${SCENARIOS.join(", ")}; default all
  --duration SECONDS      of each load; default 5
  --rounds N              of baseline and subject in turn; default 5
  --connections N         default 64 for serving, 1000 for tracking
  --quick                 3 rounds of 0.6 s: under 50 s in all, and that much noisier
  --profile DIR           writes CPU profiles of all servers there (the figures then include their cost)`;

const LONGEST_LOAD_S = 600;
const MOST_ROUNDS = 100;
const MOST_CONNECTIONS = 10_000;

/** Reads the command line. Throws with a sentence for people. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: { type: "string" },
      duration: { type: "string" },
      rounds: { type: "string" },
      connections: { type: "string" },
      profile: { type: "string" },
      quick: { type: "boolean", default: false },
    },
  });
  const { scenario, duration, rounds, connections, profile, quick } = values;
  return {
    scenarios: scenario === undefined ? SCENARIOS : scenario.split(",").map(asScenario),
    duration: asNumber("duration", duration ?? (quick ? "0.6" : "5"), 0.5, LONGEST_LOAD_S),
    rounds: asNumber("rounds", rounds ?? (quick ? "3" : "5"), 1, MOST_ROUNDS),
    connections:
      connections === undefined ? undefined : asNumber("connections", connections, 1, MOST_CONNECTIONS),
    profileDir: profile,
  };
}

function asScenario(given: string): ScenarioName {
  const name = SCENARIOS.find((known) => known === given);
  if (name === undefined)
    throw new Error(`--scenario ${given} is unknown; there are ${SCENARIOS.join(", ")}.`);
  return name;
}

function asNumber(name: string, given: string, min: number, max: number): number {
  const value = Number(given);
  if (given.trim() === "" || !(value >= min && value <= max))
    throw new Error(`--${name} ${given} must be a number from ${min} to ${max}.`);
  return value;
}
