import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const PROGRAM = join(import.meta.dirname, "main.ts");

it.each([
  ["finishes in silence when nobody reads its output to the end", "| true", ""],
  [
    "says in one sentence that its output could not be written",
    "> /dev/full",
    "The output could not be written: ENOSPC: no space left on device, write.\n1",
  ],
])("%s", async (_, output, said) => {
  const shell = spawn("sh", [
    "-c",
    `{ "$0" "$1" help; code=$?; [ $code = 0 ] || printf %s $code >&2; } ${output}`,
    process.execPath,
    PROGRAM,
  ]);

  const complaints = text(shell.stderr);
  await once(shell, "close");

  expect(await complaints).toBe(said);
});
