import { expect, it } from "vitest";
import { deriveSecrets } from "#libs/process/index.ts";
import { startManagement } from "../tests/management.ts";
import { runProgram } from "../tests/operator-commands.ts";

const STARTS_PROGRAMS_MS = 120_000;
const [first, older] = ["a".repeat(32), "b".repeat(32)];
const { database } = await startManagement();

it(
  "says the key that the sandbox of separate services takes, and where that of a single process is",
  async () => {
    const environment = { DATABASE_URL: database.url };

    const derived = await runProgram(
      "operator",
      { ...environment, SECRET_KEY: `${first},${older}` },
      "sandbox-key",
    );
    const kept = await runProgram("operator", environment, "sandbox-key");

    expect(derived.stdout).toBe(`${deriveSecrets([first]).sandboxKey}\n`);
    expect([kept.exitCode, kept.stderr]).toEqual([
      1,
      "Without a SECRET_KEY it is sandboxKey in the file secrets.json of DATA_DIR.\n",
    ]);
  },
  STARTS_PROGRAMS_MS,
);
