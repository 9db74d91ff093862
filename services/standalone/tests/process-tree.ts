import { spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { expect, vi } from "vitest";

/** A process as the system lists it. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The program's name, which a Postgres backend keeps while it changes its title. */
  readonly name: string;
  /** The title: program and arguments, or what the process says of itself. */
  readonly title: string;
}

/** What runs now. A process that only waits for its parent to take note of its end counts as gone. */
export function listProcesses(): ListedProcess[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,comm=,args="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, state = "", name = "", title = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), name, title }];
  });
}

/**
 * The process, its group, whatever works below the data folder, and everything that descends from them. The folder
 * finds a Postgres that has outlived its parent (on Linux alone; elsewhere while the parent still runs).
 */
export function listTree(root: number, dataDir: string): ListedProcess[] {
  const all = listProcesses();
  const tree = all.filter(
    ({ pid, group, name }) =>
      pid === root || group === root || (name === "postgres" && folderOf(pid).startsWith(dataDir)),
  );
  for (const { pid: parent } of tree) {
    tree.push(...all.filter((one) => one.parent === parent && !tree.some(({ pid }) => pid === one.pid)));
  }
  return tree;
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

/** Those of `processes` that still run. */
export function survivorsOf(processes: readonly ListedProcess[]): ListedProcess[] {
  const now = listProcesses();
  return processes.filter(({ pid, name }) => now.some((one) => one.pid === pid && one.name === name));
}

/** SIGKILL to each, at one moment. */
export function killAll(processes: readonly ListedProcess[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone already, as its parent or child went.
    }
  }
}

/** Fails when any of them still runs after `timeout` milliseconds; says which. */
export async function expectGone(processes: readonly ListedProcess[], timeout = 5_000): Promise<void> {
  await vi.waitFor(() => expect(survivorsOf(processes), "processes left behind").toEqual([]), {
    timeout,
    interval: 50,
  });
}
