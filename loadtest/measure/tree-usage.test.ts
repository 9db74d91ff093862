import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { parseStat, treeOf, usageOfTree } from "./tree-usage.ts";

it("reads a process whose name has blanks and brackets", () => {
  const line = "42 (a (b) c) S 7 1 1 0 -1 0 0 0 0 0 10 20 3 4 20 0 1 0 100 5000 250 0";

  expect(parseStat(line)).toEqual({ pid: 42, parent: 7, ticks: 37, residentPages: 250 });
});

it("takes children of children and nobody else", () => {
  const stat = (pid: number, parent: number) => ({ pid, parent, ticks: 1, residentPages: 1 });

  const tree = treeOf(2, [stat(1, 0), stat(2, 1), stat(3, 2), stat(4, 3), stat(5, 1)]);

  expect(tree.map(({ pid }) => pid).sort()).toEqual([2, 3, 4]);
});

it.runIf(process.platform === "linux")("counts what a child takes", async () => {
  const before = usageOfTree(process.pid);
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");

  const after = usageOfTree(child.pid);

  expect(before?.cpuMicros).toBeGreaterThan(0);
  expect(after?.residentBytes).toBeGreaterThan(10e6);
  expect(usageOfTree(process.pid)?.residentBytes).toBeGreaterThan(after?.residentBytes ?? 0);
});

it("knows nothing of a process that is not there", () => {
  expect(usageOfTree(undefined)).toBeUndefined();
  expect(usageOfTree(2 ** 22 + 1)).toBeUndefined();
});
