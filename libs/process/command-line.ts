import { processEnvironment } from "#libs/config/index.ts";
import manifest from "../../package.json" with { type: "json" };

type Script = keyof typeof manifest.scripts;

/**
 * The command that runs a script of package.json with these words, as the operator can type it: `npm run …` where npm has started
 * this process, otherwise the program itself, because the image has no npm.
 */
export function commandLine(script: Script, words = "", environment = processEnvironment()): string {
  const line = environment.npm_lifecycle_event
    ? `npm run ${script}${words === "" ? "" : " --"}`
    : manifest.scripts[script];
  return words === "" ? line : `${line} ${words}`;
}
