import { fileURLToPath } from "node:url";
import { Child } from "../processes/child.ts";
import { type Load, type LoadResult, loadResult } from "./load.ts";

/** Sends loads from a process of its own. */
export interface Client {
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** A client that collects garbage for tens of milliseconds measures itself. */
const FLAGS = ["--min-semi-space-size=64", "--max-semi-space-size=64", "--single-threaded-gc"];
const PROGRAM = fileURLToPath(new URL("client-process.ts", import.meta.url));
/** For requests still on their way when a load's time is over. */
const GRACE_MS = 30_000;

export function startClient(): Client {
  const start = () => new Child({ role: "client", args: [...FLAGS, PROGRAM] });
  let child = start();
  return {
    async run(load) {
      const used = child;
      try {
        return loadResult.parse(await used.ask(load, load.duration * 1000 + GRACE_MS));
      } catch (error) {
        // A load that has not ended would go on beside the next one.
        used.signal("SIGKILL");
        if (child === used) child = start();
        throw error;
      }
    },
    stop: () => child.stop(),
  };
}
