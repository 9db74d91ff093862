import { execFile } from "node:child_process";
import { join } from "node:path";

const REPOSITORY = join(import.meta.dirname, "..", "..", "..");
const PROGRAMS = {
  operator: join("services", "management", "operator", "main.ts"),
  webhooks: join("services", "management", "webhooks", "main.ts"),
};

export interface CommandOutcome {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs what `npm run operator` or `npm run webhooks` does, with nothing but that in its environment. */
export function runProgram(
  program: keyof typeof PROGRAMS,
  environment: Readonly<Record<string, string>>,
  ...given: readonly string[]
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
    execFile(
      process.execPath,
      [PROGRAMS[program], ...given],
      { cwd: REPOSITORY, env },
      (error, stdout, stderr) => resolve({ failed: error !== null, stdout, stderr }),
    );
  });
}
