import { processEnvironment, readConfig, secretSettings } from "#libs/config/index.ts";
import { deriveSecrets } from "#libs/process/index.ts";
import { CommandError } from "../start/command-line.ts";
import type { OperatorCommand } from "./command.ts";

/** Says what the sandbox asks its operator for who does not come from this machine, such as through a proxy. */
export const sandboxKey: OperatorCommand = {
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
