import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Who gets which part of the machine: servers and clients never take each other's time. */
export type Role = "server" | "client" | "engine";

const count = availableParallelism();
const canPin = count >= 2 && spawnSync("taskset", ["-c", "0,1", "true"]).status === 0;
/** Engines and what runs beside the measured server: cores of their own where there are any, else both. */
const OTHERS = count >= 4 ? `2-${count - 1}` : "0,1";
const CORES: Readonly<Record<Role, string>> = { server: "0", client: "1", engine: OTHERS };

/** The command with its arguments, on the core of its role where `taskset` exists. Children stay on that core. */
export function onCoreOf(role: Role, command: string, args: readonly string[]): [string, string[]] {
  return canPin ? ["taskset", ["-c", CORES[role], command, ...args]] : [command, [...args]];
}

/** How the run was laid out, for the report. */
export const LAYOUT = canPin
  ? `servers on core 0, clients on core 1, engines of their own on ${OTHERS}`
  : "not pinned: everything shares cores";
