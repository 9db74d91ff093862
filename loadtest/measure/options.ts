import { parseArgs } from "node:util";

/** In the order in which they run. Those that need the separate services come last. */
export const SCENARIOS = [
  "serving",
  "tracking",
  "pages",
  "batches",
  "delay",
  "mixed",
  "start",
  "variety",
  "growth",
  "management",
  "stats",
  "ingestion",
  "tracking-kafka",
  "mixed-kafka",
  "scaling",
  "cost",
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

const QUICK: readonly ScenarioName[] = ["serving", "tracking", "delay", "start"];

/** A deployment to be loaded, and how gently. */
export interface Target {
  readonly url: URL;
  readonly workspaceId: string;
  /** Requests per second. */
  readonly rate: number;
}

/** What the command line asks for. */
export interface Options {
  readonly scenarios: readonly ScenarioName[];
  readonly quick: boolean;
  /** Length of each load, in seconds. */
  readonly duration: number;
  /** Rounds of baseline and subject in turn. */
  readonly rounds: number;
  /** Instead of the scenarios' own numbers. */
  readonly connections: number | undefined;
  /** Events that the stats are read from. */
  readonly events: number;
  /** Impressions that the cost is taken of. */
  readonly impressions: number;
  /** Length of a mixed load, instead of the scenarios. */
  readonly soakMinutes: number | undefined;
  /** Instead of the scenarios. */
  readonly target: Target | undefined;
  /** Folder for CPU profiles of the servers; undefined takes none. */
  readonly profileDir: string | undefined;
}

const LONGEST_LOAD_S = 600;
const MOST_ROUNDS = 100;
const MOST_CONNECTIONS = 10_000;
const MOST_EVENTS = 1e9;
const MOST_IMPRESSIONS = 10e6;
const LONGEST_SOAK_MINUTES = 7 * 24 * 60;
const USUAL_TARGET_RATE = 50;
const MOST_TARGET_RATE = 2_000;

export const USAGE = `npm run loadtest -- [options]
  --scenario NAME[,NAME]  ${SCENARIOS.slice(0, 8).join(", ")},
                          ${SCENARIOS.slice(8).join(", ")}; default all
  --duration SECONDS      of each load; default 5
  --rounds N              of baseline and subject in turn; default 5
  --connections N         default 128 for serving, 256 and 1000 for tracking
  --events N              that the stats are read from; default 50000000
  --impressions N         that the cost is taken of; default 200000
  --quick                 ${QUICK.join(", ")}, 3 rounds of 0.6 s: under 50 s in all, and that much noisier
  --soak MINUTES          mixed load for this long, checking whether memory grows; instead of the scenarios
  --target URL            ads of --workspace of a deployment; instead of the scenarios. Nothing is tracked there.
  --workspace ID          the workspace at the target
  --rate N                requests per second at the target, at most ${MOST_TARGET_RATE}; default ${USUAL_TARGET_RATE}
  --profile DIR           writes CPU profiles of all servers there (the figures then include their cost)`;

/** Reads the command line. Throws with a sentence for people. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: { type: "string" },
      duration: { type: "string" },
      rounds: { type: "string" },
      connections: { type: "string" },
      events: { type: "string", default: "50000000" },
      impressions: { type: "string", default: "200000" },
      soak: { type: "string" },
      target: { type: "string" },
      workspace: { type: "string" },
      rate: { type: "string" },
      profile: { type: "string" },
      quick: { type: "boolean", default: false },
    },
  });
  const { scenario, duration, rounds, connections, soak, quick } = values;
  const asked = scenario?.split(",").map(asScenario) ?? (quick ? QUICK : SCENARIOS);
  return {
    scenarios: SCENARIOS.filter((name) => asked.includes(name)),
    quick,
    duration: asNumber("duration", duration ?? (quick ? "0.6" : "5"), 0.5, LONGEST_LOAD_S),
    rounds: asNumber("rounds", rounds ?? (quick ? "3" : "5"), 1, MOST_ROUNDS),
    connections:
      connections === undefined ? undefined : asNumber("connections", connections, 1, MOST_CONNECTIONS),
    events: asNumber("events", values.events, 1_000, MOST_EVENTS),
    impressions: asNumber("impressions", values.impressions, 1_000, MOST_IMPRESSIONS),
    soakMinutes: soak === undefined ? undefined : asNumber("soak", soak, 0.1, LONGEST_SOAK_MINUTES),
    target: asTarget(values.target, values.workspace, values.rate),
    profileDir: values.profile,
  };
}

function asScenario(given: string): ScenarioName {
  const name = SCENARIOS.find((known) => known === given);
  if (name === undefined)
    throw new Error(`--scenario ${given} is unknown; there are ${SCENARIOS.join(", ")}.`);
  return name;
}

function asTarget(url?: string, workspaceId?: string, rate?: string): Target | undefined {
  if (url === undefined) {
    if (workspaceId !== undefined || rate !== undefined)
      throw new Error("--workspace and --rate say nothing without --target.");
    return undefined;
  }
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isWeb) throw new Error(`--target ${url} must be an http or https address.`);
  if (workspaceId === undefined) throw new Error("--target needs --workspace, whose ads are asked for.");
  return {
    url: new URL(url),
    workspaceId,
    rate: asNumber("rate", rate ?? String(USUAL_TARGET_RATE), 1, MOST_TARGET_RATE),
  };
}

function asNumber(name: string, given: string, min: number, max: number): number {
  const value = Number(given);
  if (given.trim() === "" || !(value >= min && value <= max))
    throw new Error(`--${name} ${given} must be a number from ${min} to ${max}.`);
  return value;
}
