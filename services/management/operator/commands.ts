import { processEnvironment, readConfig, secretSettings } from "#libs/config/index.ts";
import { commandLine, deriveSecrets } from "#libs/process/index.ts";
import { streamExport } from "../privacy/export.ts";
import { CommandError } from "../start/command-line.ts";
import { type OperatorCommand, recordOperatorAction } from "./command.ts";
import { deleteSubject } from "./delete.ts";
import { list } from "./list.ts";
import { removeSecondFactor } from "./queries.ts";
import { describeSubject, findSubject } from "./subject.ts";
import { restore, suspend } from "./suspension.ts";

/** Writes the same export that a person or a workspace can download. */
const exportSubject: OperatorCommand = {
  parameters: ["<person|workspace>"],
  about: "Writes everything stored about a person or for a workspace, as JSON.",
  async run({ db, now, say }, [named = ""]) {
    const { kind, id } = await findSubject(db, named);
    const decoder = new TextDecoder();
    // Each part ends between two JSON tokens, where a line break is allowed.
    for await (const part of streamExport(db, { kind, id }, { exportedAt: now.toISOString() })) {
      say(decoder.decode(part));
    }
  },
};

/** For a person who has lost both their authenticator and their recovery codes. */
const twoFactorOff: OperatorCommand = {
  parameters: ["<person>"],
  about: "For a person who lost authenticator and recovery codes: turns two-factor sign-in off.",
  async run({ db, say }, [named = ""]) {
    const subject = await findSubject(db, named);
    const { kind, id } = subject;
    if (kind !== "person") throw new CommandError(`"${named}" is a workspace. Name a person.`);
    await db.transaction().execute(async (trx) => {
      if (!(await removeSecondFactor(trx, id))) {
        throw new CommandError(`The ${describeSubject(subject)} does not use two-factor sign-in.`);
      }
      await recordOperatorAction(trx, { workspaceId: null, action: "person.two-factor-off", resourceId: id });
    });
    say(`Switched two-factor sign-in off for the ${describeSubject(subject)}.`);
    say("They sign in with their password alone until they set it up again.");
  },
};

/** Says what the sandbox asks its operator for who does not come from this machine, such as through a proxy. */
const sandboxKey: OperatorCommand = {
  parameters: [],
  about: "The API key of the payment sandbox, for the operator's calls of it.",
  async run({ say }) {
    const { secretKey } = readConfig(secretSettings, processEnvironment());
    if (secretKey === undefined) {
      throw new CommandError("Without a SECRET_KEY it is sandboxKey in the file secrets.json of DATA_DIR.");
    }
    say(deriveSecrets(secretKey).sandboxKey);
  },
};

/** Every command by its name, in the order of the help. */
const COMMANDS: ReadonlyMap<string, OperatorCommand> = new Map([
  ["list", list],
  ["suspend", suspend],
  ["restore", restore],
  ["delete", deleteSubject],
  ["export", exportSubject],
  ["two-factor-off", twoFactorOff],
  ["sandbox-key", sandboxKey],
]);

/** The typed command and its arguments. Throws `CommandError` with the help for an unknown one. */
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

/** The help, one line per command. */
export function helpText(): string {
  const commands = [...COMMANDS].map(([name, command]) => ({
    use: usageOf(name, command),
    about: command.about,
  }));
  const width = Math.max(...commands.map(({ use }) => use.length));
  return [
    ...commands.map(({ use, about }) => `${use.padEnd(width)}   ${about}`),
    "",
    "A person is named by email address or id (usr_…), a workspace by slug or id (ws_…).",
  ].join("\n");
}

function usageOf(name: string, { parameters }: OperatorCommand): string {
  return commandLine("operate", [name, ...parameters].join(" "));
}
