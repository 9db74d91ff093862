import { commandLine } from "#libs/process/index.ts";
import { CommandError, runCommandLine, withInstallation } from "../start/command-line.ts";
import { type Commands, createCommands } from "./webhooks.ts";

const USAGE = `Use: ${commandLine("operate:webhooks", "list | retry [event id ...] | reconcile")}`;

/** Runs one of the operator's webhook commands on the product's database, and prints the outcome. */
await runCommandLine(async ([command, ...ids]) => {
  if (!isCommand(command) || (command !== "retry" && ids.length > 0)) throw new CommandError(USAGE);
  const lines = await withInstallation("placard-webhooks", ({ db }) => createCommands(db)[command](ids));
  process.stdout.write(`${lines.join("\n")}\n`);
});

function isCommand(command: string | undefined): command is keyof Commands {
  return command === "list" || command === "retry" || command === "reconcile";
}
