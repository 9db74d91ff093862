import { CommandError } from "../start/command-line.ts";
import type { OperatorCommand } from "./command.ts";
import { removeSecondFactor } from "./queries.ts";
import { recordOperatorAction } from "./record.ts";
import { describeSubject, findSubject } from "./subject.ts";

/** Helps somebody who has lost both their authenticator and their recovery codes. */
export const twoFactorOff: OperatorCommand = {
  parameters: ["<person>"],
  about: "Person who lost their authenticator and recovery codes: signs in with the password alone.",
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
