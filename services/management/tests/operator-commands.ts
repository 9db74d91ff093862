import { execFile } from "node:child_process";
import { join } from "node:path";

const REPOSITORY = join(import.meta.dirname, "..", "..", "..");
const PROGRAMS = {
  operator: join("services", "management", "operator", "main.ts"),
  webhooks: join("services", "management", "operator", "webhooks-main.ts"),
  verify: join("services", "verification", "verify-main.ts"),
  repair: join("services", "verification", "repair-main.ts"),
};

export interface CommandOutcome {
  readonly failed: boolean;
  /** 0 where it did not fail; null where a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs what `npm run operate`, `operate:webhooks`, `operate:verify` or `operate:repair` does, with nothing but that and npm's name for it in its environment. */
export function runProgram(
  program: keyof typeof PROGRAMS,
  environment: Readonly<Record<string, string>>,
  ...given: readonly string[]
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      npm_lifecycle_event: "operate",
      ...environment,
    };
    execFile(
      process.execPath,
      [PROGRAMS[program], ...given],
      { cwd: REPOSITORY, env },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        const exitCode = typeof code === "number" ? code : null;
        resolve({ failed: error !== null, exitCode, stdout, stderr });
      },
    );
  });
}
