import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

it("gives up and reports it when workers keep ending and none is left", async () => {
  const program = join(import.meta.dirname, "crashing-workers.ts");

  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [program], (error, _stdout, said) =>
      resolve({ code: error?.code, stderr: said }),
    );
  });

  const told = stderr
    .trimEnd()
    .split("\n")
    .map((line): { msg: string; pauseMs?: number } => JSON.parse(line));
  expect(code).toBe(1);
  expect(told.flatMap(({ pauseMs }) => pauseMs ?? [])).toEqual([250, 500, 1_000, 2_000, 4_000]);
  expect(told.at(-1)?.msg).toContain("workers keep ending, and none is left to answer requests");
});
