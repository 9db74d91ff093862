import { CommandError } from "../start/command-line.ts";
import type { OperatorCommand } from "./command.ts";
import { deleteSubject } from "./delete.ts";
import { exportSubject } from "./export.ts";
import { list } from "./list.ts";
import { restore } from "./restore.ts";
import { suspend } from "./suspend.ts";
import { twoFactorOff } from "./two-factor-off.ts";

/** Every command by its name, in the order of the help. */
const COMMANDS: ReadonlyMap<string, OperatorCommand> = new Map([
  ["list", list],
  ["suspend", suspend],
  ["restore", restore],
  ["delete", deleteSubject],
  ["export", exportSubject],
  ["two-factor-off", twoFactorOff],
]);

/** The command that was typed, and what it is given. Throws `CommandError` with the help for what is none. */
export function parseCommand(typed: readonly string[]): { command: OperatorCommand; given: string[] } {
  const [name = "", ...given] = typed;
  const command = COMMANDS.get(name);
  if (command === undefined) {
    const unknown = name === "" ? "Name a command." : `There is no command "${name}".`;
    throw new CommandError(`${unknown} The commands:\n\n${helpText()}`);
  }
  const needed = command.parameters.filter((one) => one.startsWith("<")).length;
  if (given.length < needed || given.length > command.parameters.length) {
    throw new CommandError(`Use: ${usageOf(name, command)}`);
  }
  return { command, given };
}

/** What can be done, a line for each command. */
export function helpText(): string {
  const commands = [...COMMANDS].map(([name, command]) => ({
    use: usageOf(name, command),
    about: command.about,
  }));
  const width = Math.max(...commands.map(({ use }) => use.length));
  return [
    ...commands.map(({ use, about }) => `${use.padEnd(width)}   ${about}`),
    "",
    "A person is named by e-mail address or id (usr_…), a workspace by slug or id (ws_…).",
  ].join("\n");
}

function usageOf(name: string, { parameters }: OperatorCommand): string {
  return ["npm run operator --", name, ...parameters].join(" ");
}
