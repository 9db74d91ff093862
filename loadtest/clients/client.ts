import { fileURLToPath } from "node:url";
import { Child } from "../processes/child.ts";
import { type Load, type LoadResult, loadResult } from "./load.ts";
import { hasWrk, isForWrk, runWrk, WITHOUT_WRK } from "./wrk.ts";

/** Sends loads from processes of its own. */
export interface Client {
  /** Sends a load as it is: at its rate, an amount, from visitors that return. */
  run(load: Load): Promise<LoadResult>;
  /** Sends a load that is to find the server's limit: with wrk where it is installed and can send it, else as `run`. */
  race(load: Load): Promise<LoadResult>;
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
  const canWrk = hasWrk();
  if (!canWrk) process.stderr.write(`${WITHOUT_WRK}\n`);

  async function run(load: Load): Promise<LoadResult> {
    const used = child;
    try {
      return loadResult.parse(await used.ask(load, load.duration * 1000 + GRACE_MS));
    } catch (error) {
      // A load that has not ended would go on beside the next one.
      used.signal("SIGKILL");
      if (child === used) child = start();
      throw error;
    }
  }

  return {
    run,
    race: (load) => (canWrk && isForWrk(load) ? runWrk(load) : run(load)),
    stop: () => child.stop(),
  };
}
