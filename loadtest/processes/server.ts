import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type TreeUsage, usageOfTree } from "../measure/tree-usage.ts";
import { Child } from "./child.ts";
import type { Role } from "./cores.ts";
import { until } from "./until.ts";

const usage = z.object({
  /** User and system time of the process and its threads since it started. */
  cpuMicros: z.number(),
  residentBytes: z.number(),
  /** How late the event loop was, since the last time this was asked. */
  delayP50Ms: z.number(),
  delayP99Ms: z.number(),
  delayMaxMs: z.number(),
});

export type Usage = z.infer<typeof usage>;

/** A server under load, in a process of its own. */
export interface Server {
  readonly origin: string;
  /** What the process uses, without its children. */
  usage(): Promise<Usage>;
  /** With its children; undefined where the system does not tell. */
  treeUsage(): TreeUsage | undefined;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly program: URL;
  readonly args?: readonly string[];
  /** Node's own, before the program. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** On standard output when requests are answered, its first group is the origin; or the origin, to ask for `/readyz`. */
  readonly ready: RegExp | string;
  /** Default `server`. */
  readonly role?: Role;
  readonly profileDir: string | undefined;
}

const PROBE = fileURLToPath(new URL("probe.ts", import.meta.url));
const READY_WITHIN_MS = 60_000;
const ANSWERED_WITHIN_MS = 10_000;

/** Starts a server and waits until it is ready; `printed` is its output until then. */
export async function startServer(options: ServerOptions): Promise<Server & { readonly printed: string }> {
  const { program, args = [], flags = [], env = {}, ready, role = "server", profileDir } = options;
  const profiling = profileDir === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", profileDir];
  const file = fileURLToPath(program);
  const child = new Child({
    role,
    args: [...flags, "--import", PROBE, ...profiling, file, ...args],
    env,
  });
  try {
    const { origin, printed } = await readyServer(child, ready);
    return {
      origin,
      printed,
      usage: async () => usage.parse(await child.ask("usage", ANSWERED_WITHIN_MS)),
      treeUsage: () => usageOfTree(child.pid),
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function readyServer(
  child: Child,
  ready: RegExp | string,
): Promise<{ origin: string; printed: string }> {
  if (typeof ready === "string") {
    const isReady = async () => {
      child.assertRuns();
      const answer = await fetch(`${ready}/readyz`).catch(() => undefined);
      await answer?.text();
      return answer?.ok || undefined;
    };
    await until(isReady, `Nothing is ready at ${ready}.`, READY_WITHIN_MS);
    return { origin: ready, printed: "" };
  }
  const printed = await child.printed(ready, READY_WITHIN_MS);
  return { origin: ready.exec(printed)?.[1] ?? "", printed };
}
