// Runs an engine's command in a process group of its own and ends that group on SIGTERM, or when the load test is
// gone, however that ended. Arguments: the signal that asks the engine to end, the command, its arguments.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { z } from "zod";

/** Below the time that the load test gives this process. */
const ENDED_WITHIN_MS = 10_000;

const [signal, command, ...args] = process.argv.slice(2);
const asked = z.enum(["SIGTERM", "SIGINT"]).parse(signal);
const engine = spawn(z.string().parse(command), args, {
  detached: true,
  stdio: ["ignore", "inherit", "inherit"],
});

let isEnding = false;
function end(): void {
  if (isEnding) return;
  isEnding = true;
  signalGroup(asked);
  setTimeout(() => signalGroup("SIGKILL"), ENDED_WITHIN_MS);
}

function signalGroup(name: NodeJS.Signals): void {
  if (engine.pid === undefined) return;
  try {
    process.kill(-engine.pid, constants.signals[name]);
  } catch {
    // It has ended by itself.
  }
}

process.on("SIGTERM", end);
// Ctrl-C reaches every process of the load test, but the main process decides the order in which they end.
process.on("SIGINT", () => undefined);
process.on("disconnect", end);
// Its output is no longer read.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);
engine.on("error", (error) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
engine.on("exit", (code) => {
  // The rest of its group.
  signalGroup("SIGKILL");
  process.exit(isEnding ? 0 : (code ?? 1));
});
