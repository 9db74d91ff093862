import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Who gets which part of the machine: servers and clients never take each other's time. */
export type Role = "server" | "client";

const canPin = availableParallelism() >= 2 && spawnSync("taskset", ["-c", "0,1", "true"]).status === 0;
const CORES: Readonly<Record<Role, string>> = { server: "0", client: "1" };

/** The command with its arguments, on the core of its role where `taskset` exists. Children stay on that core. */
export function onCoreOf(role: Role, command: string, args: readonly string[]): [string, string[]] {
  return canPin ? ["taskset", ["-c", CORES[role], command, ...args]] : [command, [...args]];
}

/** How the run was laid out, for the report. */
export const LAYOUT = canPin ? "servers on core 0, clients on core 1" : "not pinned: everything shares cores";
