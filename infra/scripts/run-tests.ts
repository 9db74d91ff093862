// npm test: types, style and behaviour at the same time, because tests often wait while a compiler never does.
import { type SpawnOptions, spawn } from "node:child_process";
import { processEnvironment } from "#libs/config/environment.ts";

interface Check {
  readonly script: string;
  readonly arguments?: readonly string[];
  /** Shows its output as it comes; that of the others is shown when they have ended. */
  readonly isLive?: boolean;
}

const CHECKS: readonly Check[] = [
  { script: "typecheck" },
  { script: "lint" },
  { script: "vitest", arguments: process.argv.slice(2), isLive: true },
];

const failed = (await Promise.all(CHECKS.map(run))).filter((script) => script !== null);
// Once more at the end: what failed early has scrolled away by then.
if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs a script of package.json; gives its name when it fails, else null. */
async function run({ script, arguments: more = [], isLive = false }: Check): Promise<string | null> {
  const options: SpawnOptions = {
    // Compiler and linter are Go programs that live for seconds: collecting garbage was a third of their work.
    env: { GOGC: "400", ...processEnvironment() },
    stdio: isLive ? "inherit" : ["ignore", "pipe", "pipe"],
    // There npm is a batch file, which only a shell can start.
    shell: process.platform === "win32",
  };
  const child = spawn("npm", ["run", "--silent", script, "--", ...more], options);
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const isDone = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  if (said !== "") process.stderr.write(said);
  return isDone ? null : script;
}
