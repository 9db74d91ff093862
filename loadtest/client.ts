import { fileURLToPath } from "node:url";
import { Child } from "./child.ts";
import { type Load, type LoadResult, loadResult } from "./load.ts";

/** Sends loads from a process of its own. */
export interface Client {
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("client-process.ts", import.meta.url));
/** For requests still on their way when a load's time is over. */
const GRACE_MS = 30_000;

export function startClient(): Client {
  const child = new Child({ role: "client", args: [PROGRAM] });
  return {
    run: async (load) => loadResult.parse(await child.ask(load, load.duration * 1000 + GRACE_MS)),
    stop: () => child.stop(),
  };
}
