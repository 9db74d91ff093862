import { readdirSync, readFileSync } from "node:fs";

/** What a process and everything that it has started uses. */
export interface TreeUsage {
  /** User and system time, of children that have ended too where they were waited for. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** One process as the kernel reports it. Times in ticks. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly residentPages: number;
}

/** The kernel's clock tick and page as it shows them to programs, the same on every common Linux. */
const MICROS_PER_TICK = 10_000;
const BYTES_PER_PAGE = 4_096;

/** Sums up the tree below (and with) `root`; undefined where there is no such process, or no /proc. */
export function usageOfTree(root: number | undefined): TreeUsage | undefined {
  if (root === undefined || process.platform !== "linux") return undefined;
  const members = treeOf(root, allProcesses());
  if (members.length === 0) return undefined;
  const sum = (of: (stat: ProcessStat) => number) => members.reduce((total, stat) => total + of(stat), 0);
  return {
    cpuMicros: sum(({ ticks }) => ticks) * MICROS_PER_TICK,
    residentBytes: sum(({ residentPages }) => residentPages) * BYTES_PER_PAGE,
  };
}

/** The process with its children, their children, and so on. */
export function treeOf(root: number, all: readonly ProcessStat[]): ProcessStat[] {
  const own = all.filter(({ pid }) => pid === root);
  return [...own, ...all.filter(({ parent }) => parent === root).flatMap(({ pid }) => treeOf(pid, all))];
}

/** Reads a line of /proc/PID/stat; the program's name, in brackets, may hold blanks and brackets. */
export function parseStat(line: string): ProcessStat {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid: Number.parseInt(line, 10),
    parent: field(4),
    ticks: field(14) + field(15) + field(16) + field(17),
    residentPages: field(24),
  };
}

function allProcesses(): ProcessStat[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"))];
      } catch {
        // It has ended since.
        return [];
      }
    });
}
