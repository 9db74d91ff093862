import { runCommandLine, withInstallation } from "../start/command-line.ts";
import { helpText, parseCommand } from "./commands.ts";

const HELP = new Set(["help", "--help", "-h"]);

/** Runs one of the operator's commands on the product's database. */
await runCommandLine(async (typed) => {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (HELP.has(typed[0] ?? "")) {
    say(helpText());
    return;
  }
  const { command, given } = parseCommand(typed);
  await withInstallation("placard-operator", ({ db }) => command.run({ db, now: new Date(), say }, given));
});
